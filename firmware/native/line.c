// The USB serial line without waiting, and a wait that any interrupt ends.
//
// The port's own read waits for every byte it was asked for, its write waits up to half a second for a
// host that does not read, and its poll looks once a millisecond. All of this runs in the main loop, as
// the port's USB task does; nothing here runs in an interrupt.
#include "py/mphal.h"
#include "py/ringbuf.h"
#include "py/runtime.h"
#include "py/stream.h"
#include "shared/runtime/interrupt_char.h"
#include "shared/tinyusb/mp_usbd.h"
#include "shared/tinyusb/mp_usbd_cdc.h"

#include "hardware/sync.h"
#include "hardware/timer.h"
#include "pico/time.h"

#include "native.h"

extern ringbuf_t stdin_ringbuf; // ports/rp2/mphalport.c: the port's USB task fills it

// The port moves what USB received into its ring a byte at a time, looking for Ctrl-C. Once that is switched
// off there is nothing to look for, and whole pieces will do. The linker leads tinyusb's call here first.
void __real_tud_cdc_rx_cb(uint8_t itf);

void __wrap_tud_cdc_rx_cb(uint8_t itf) {
    ringbuf_t *ring = &stdin_ringbuf;
    while (mp_interrupt_char == -1 && ringbuf_free(ring) > 0) {
        size_t to_the_end = ring->size - ring->iput;
        size_t count = tud_cdc_n_read(itf, ring->buf + ring->iput, MIN(ringbuf_free(ring), to_the_end));
        if (count == 0) {
            break;
        }
        ring->iput = (ring->iput + count) % ring->size;
    }
    __real_tud_cdc_rx_cb(itf); // notes what did not fit
}

static size_t take(byte *to, size_t most) {
    size_t count = MIN(most, ringbuf_avail(&stdin_ringbuf));
    if (count > 0) {
        ringbuf_get_bytes(&stdin_ringbuf, to, count);
        return count;
    }
    return tusb_inited() ? tud_cdc_read(to, most) : 0; // what the ring had no room for
}

// What has come, as much as fits; returns how many bytes.
static mp_obj_t native_read_into(mp_obj_t buffer_in) {
    mp_buffer_info_t buffer;
    mp_get_buffer_raise(buffer_in, &buffer, MP_BUFFER_WRITE);
    mp_usbd_task();
    size_t came = 0, count;
    do {
        count = take((byte *)buffer.buf + came, buffer.len - came);
        came += count;
    } while (count > 0 && came < buffer.len);
    return MP_OBJ_NEW_SMALL_INT(came);
}
MP_DEFINE_CONST_FUN_OBJ_1(native_read_into_obj, native_read_into);

// With no host, as the port does: all is taken, and the newest bytes are kept for whoever comes.
static size_t room(void) {
    if (!tusb_inited()) {
        return 0;
    }
    return tud_cdc_connected() ? tud_cdc_write_available() : CFG_TUD_CDC_TX_BUFSIZE;
}

static mp_obj_t native_write_room(void) {
    return MP_OBJ_NEW_SMALL_INT(room());
}
MP_DEFINE_CONST_FUN_OBJ_0(native_write_room_obj, native_write_room);

// Sends what there is room for; returns how many bytes that was.
static mp_obj_t native_write(mp_obj_t data_in) {
    mp_buffer_info_t data;
    mp_get_buffer_raise(data_in, &data, MP_BUFFER_READ);
    size_t count = MIN(data.len, room());
    if (count > 0) {
        count = tud_cdc_write(data.buf, count);
        tud_cdc_write_flush();
    }
    return MP_OBJ_NEW_SMALL_INT(count);
}
MP_DEFINE_CONST_FUN_OBJ_1(native_write_obj, native_write);

static void woken(uint alarm) {
    // the interrupt itself is what ends the nap
}

static void nap_us(uint32_t us) {
    static int alarm = -1;
    if (alarm < 0) {
        alarm = hardware_alarm_claim_unused(true);
        hardware_alarm_set_callback(alarm, woken);
    }
    bool is_past = hardware_alarm_set_target(alarm, make_timeout_time_us(us));
    if (!is_past) {
        __wfe();
        hardware_alarm_cancel(alarm);
    }
}

static bool has_come(void) {
    mp_event_handle_nowait();
    return mp_usbd_cdc_poll_interfaces(MP_STREAM_POLL_RD) != 0;
}

// Until a byte comes, any interrupt has run, or the time; returns whether there are bytes to read.
// An interrupt since the last nap ends this one at once: its return has set the core's event flag. So
// a caller that looks at what handlers left, then naps, misses nothing, and may be woken for nothing.
static mp_obj_t native_wait_us(mp_obj_t us_in) {
    mp_int_t us = mp_obj_get_int(us_in);
    if (us > 0 && !has_come()) {
        nap_us(us);
    }
    return mp_obj_new_bool(has_come());
}
MP_DEFINE_CONST_FUN_OBJ_1(native_wait_us_obj, native_wait_us);
