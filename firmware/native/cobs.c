// Consistent overhead byte stuffing: the same bytes as firmware/protocol/cobs.py makes and takes.
#include <string.h>

#include "py/runtime.h"

#include "native.h"

#define LONGEST_RUN 254

// Bytes of `data` before its next zero, and no more than one code byte can stand for.
static size_t run_length(const byte *data, size_t left) {
    size_t most = MIN(left, LONGEST_RUN);
    const byte *zero = memchr(data, 0, most);
    return zero ? (size_t)(zero - data) : most;
}

static mp_obj_t native_cobs_encode(mp_obj_t data_in) {
    mp_buffer_info_t data;
    mp_get_buffer_raise(data_in, &data, MP_BUFFER_READ);
    vstr_t out;
    vstr_init_len(&out, data.len + data.len / LONGEST_RUN + 1);
    const byte *from = data.buf, *end = from + data.len;
    byte *to = (byte *)out.buf;
    for (;;) {
        size_t run = run_length(from, end - from);
        *to++ = run + 1;
        memcpy(to, from, run);
        to += run;
        from += run;
        if (run == LONGEST_RUN) {
            continue; // no zero is meant behind a full run, so an empty one may follow
        }
        if (from == end) {
            break;
        }
        from++; // the zero that the code byte stands for
    }
    out.len = to - (byte *)out.buf;
    return mp_obj_new_bytes_from_vstr(&out);
}
MP_DEFINE_CONST_FUN_OBJ_1(native_cobs_encode_obj, native_cobs_encode);

// None where the bytes are nothing that encode could have made.
static mp_obj_t native_cobs_decode(mp_obj_t stuffed_in) {
    mp_buffer_info_t stuffed;
    mp_get_buffer_raise(stuffed_in, &stuffed, MP_BUFFER_READ);
    vstr_t out;
    vstr_init_len(&out, stuffed.len);
    const byte *from = stuffed.buf, *end = from + stuffed.len;
    byte *to = (byte *)out.buf;
    while (from < end) {
        size_t code = *from;
        if (code == 0 || code > (size_t)(end - from)) {
            vstr_clear(&out);
            return mp_const_none;
        }
        memcpy(to, from + 1, code - 1);
        to += code - 1;
        from += code;
        if (code <= LONGEST_RUN && from < end) {
            *to++ = 0;
        }
    }
    out.len = to - (byte *)out.buf;
    return mp_obj_new_bytes_from_vstr(&out);
}
MP_DEFINE_CONST_FUN_OBJ_1(native_cobs_decode_obj, native_cobs_decode);
