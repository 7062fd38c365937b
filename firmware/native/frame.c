// A frame made and taken apart in one go, and a message's fields as bytes: the same as
// firmware/protocol/frames.py and messages.py make and take. A command costs the main loop half as much.
#include <string.h>

#include "lib/uzlib/uzlib.h"
#include "py/objint.h"
#include "py/runtime.h"

#include "native.h"

#define HEAD_BYTES 6
#define CRC_BYTES 4
#define MAX_BODY 224
#define MAX_CONTENT (HEAD_BYTES + MAX_BODY + CRC_BYTES)
#define LONGEST_RUN 254
#define BIG_BYTES 12 // of an integer that is no small one: more than any field holds

static uint32_t crc_of(const byte *data, size_t length) {
    return uzlib_crc32(data, length, 0xffffffff) ^ 0xffffffff;
}

static void put_u32(byte *to, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        to[i] = value >> (8 * i);
    }
}

static uint32_t get_u32(const byte *from) {
    return from[0] | from[1] << 8 | from[2] << 16 | (uint32_t)from[3] << 24;
}

// frame_encode(kind, number, type, body)
static mp_obj_t native_frame_encode(size_t n_args, const mp_obj_t *args) {
    mp_buffer_info_t body;
    mp_get_buffer_raise(args[3], &body, MP_BUFFER_READ);
    if (body.len > MAX_BODY) {
        mp_raise_ValueError(MP_ERROR_TEXT("a frame's body is at most 224 bytes"));
    }
    byte content[MAX_CONTENT];
    content[0] = mp_obj_get_int(args[0]);
    put_u32(content + 1, mp_obj_get_int_truncated(args[1]));
    content[5] = mp_obj_get_int(args[2]);
    memcpy(content + HEAD_BYTES, body.buf, body.len);
    size_t length = HEAD_BYTES + body.len;
    put_u32(content + length, crc_of(content, length));
    length += CRC_BYTES;
    vstr_t out;
    vstr_init_len(&out, length + 3); // content is shorter than a full run: one code byte too many, two zeros
    byte *to = (byte *)out.buf;
    byte *code = to + 1;
    *to = 0;
    to += 2;
    for (size_t i = 0; i < length; i++) {
        if (content[i] == 0) {
            *code = to - code;
            code = to++;
        } else {
            *to++ = content[i];
        }
    }
    *code = to - code;
    *to++ = 0;
    out.len = to - (byte *)out.buf;
    return mp_obj_new_bytes_from_vstr(&out);
}
MP_DEFINE_CONST_FUN_OBJ_VAR_BETWEEN(native_frame_encode_obj, 4, 4, native_frame_encode);

// Bytes unstuffed into `to`, which has room for `most`; 0 where they are nothing that a frame could be.
static size_t unstuff(const byte *from, size_t left, byte *to, size_t most) {
    const byte *end = from + left;
    size_t length = 0;
    while (from < end) {
        size_t code = *from;
        if (code == 0 || code > (size_t)(end - from) || length + code > most + 1) {
            return 0;
        }
        memcpy(to + length, from + 1, code - 1);
        length += code - 1;
        from += code;
        if (code <= LONGEST_RUN && from < end) {
            if (length == most) {
                return 0;
            }
            to[length++] = 0;
        }
    }
    return length;
}

// (kind, number, type, body) of what stood between two zeros, or None.
static mp_obj_t native_frame_decode(mp_obj_t stuffed_in) {
    mp_buffer_info_t stuffed;
    mp_get_buffer_raise(stuffed_in, &stuffed, MP_BUFFER_READ);
    byte content[MAX_CONTENT + 8];
    size_t length = unstuff(stuffed.buf, stuffed.len, content, sizeof(content));
    if (length < HEAD_BYTES + CRC_BYTES) {
        return mp_const_none;
    }
    length -= CRC_BYTES;
    if (get_u32(content + length) != crc_of(content, length)) {
        return mp_const_none;
    }
    mp_obj_t items[4] = {
        MP_OBJ_NEW_SMALL_INT(content[0]),
        mp_obj_new_int_from_uint(get_u32(content + 1)),
        MP_OBJ_NEW_SMALL_INT(content[5]),
        mp_obj_new_bytes(content + HEAD_BYTES, length - HEAD_BYTES),
    };
    return mp_obj_new_tuple(4, items);
}
MP_DEFINE_CONST_FUN_OBJ_1(native_frame_decode_obj, native_frame_decode);

// -- fields

static void put_uint(vstr_t *out, mp_uint_t value) {
    for (; value > 127; value >>= 7) {
        vstr_add_byte(out, (value & 127) | 128);
    }
    vstr_add_byte(out, value);
}

// One that is no small integer: seven bits at a time from its bytes.
static void put_big(vstr_t *out, mp_obj_t value) {
    byte bytes[BIG_BYTES + 1] = { 0 };
    mp_obj_int_to_bytes_impl(value, false, BIG_BYTES, bytes);
    int bits = BIG_BYTES * 8;
    while (bits > 7 && !(bytes[(bits - 1) >> 3] >> ((bits - 1) & 7) & 1)) {
        bits--;
    }
    for (int at = 0; at < bits; at += 7) {
        int seven = ((bytes[at >> 3] | bytes[(at >> 3) + 1] << 8) >> (at & 7)) & 127;
        vstr_add_byte(out, at + 7 < bits ? seven | 128 : seven);
    }
}

static void put_number(vstr_t *out, mp_obj_t value) {
    if (mp_obj_is_exact_type(value, &mp_type_int)) {
        if (mp_obj_int_sign(value) < 0) {
            mp_raise_ValueError(MP_ERROR_TEXT("negative"));
        }
        put_big(out, value);
        return;
    }
    mp_int_t number = mp_obj_get_int(value);
    if (number < 0) {
        mp_raise_ValueError(MP_ERROR_TEXT("negative"));
    }
    put_uint(out, number);
}

static void put_list(vstr_t *out, mp_obj_t value) {
    put_uint(out, mp_obj_get_int(mp_obj_len(value)));
    mp_obj_iter_buf_t buffer;
    mp_obj_t iterable = mp_getiter(value, &buffer), item;
    while ((item = mp_iternext(iterable)) != MP_OBJ_STOP_ITERATION) {
        put_number(out, item);
    }
}

static void put_bytes(vstr_t *out, mp_obj_t value) {
    mp_buffer_info_t data;
    mp_get_buffer_raise(value, &data, MP_BUFFER_READ);
    put_uint(out, data.len);
    vstr_add_strn(out, data.buf, data.len);
}

static void put_field(vstr_t *out, char kind, mp_obj_t value) {
    if (!mp_obj_is_true(value)) {
        vstr_add_byte(out, 0);
    } else if (kind == 'u') {
        put_number(out, value);
    } else if (kind == 'l') {
        put_list(out, value);
    } else {
        put_bytes(out, value);
    }
}

// pack(fields, values): what is missing is 0 or empty.
static mp_obj_t native_pack(mp_obj_t fields_in, mp_obj_t values_in) {
    size_t count;
    mp_obj_t *fields;
    mp_obj_get_array(fields_in, &count, &fields);
    mp_map_t *values = mp_obj_dict_get_map(values_in);
    vstr_t out;
    vstr_init(&out, 32);
    for (size_t i = 0; i < count; i++) {
        mp_obj_t *field;
        mp_obj_get_array_fixed_n(fields[i], 2, &field);
        mp_map_elem_t *found = mp_map_lookup(values, field[0], MP_MAP_LOOKUP);
        put_field(&out, *mp_obj_str_get_str(field[1]), found ? found->value : mp_const_none);
    }
    return mp_obj_new_bytes_from_vstr(&out);
}
MP_DEFINE_CONST_FUN_OBJ_2(native_pack_obj, native_pack);
