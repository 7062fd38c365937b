// pitkit_native: what Python cannot do well on an RP2040 or RP2350. Compiled into our own images; a board
// that only takes files has none, and firmware/board.py and firmware/protocol/frames.py do without it.
#include "native.h"

static const mp_rom_map_elem_t native_globals_table[] = {
    { MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_pitkit_native) },
    { MP_ROM_QSTR(MP_QSTR_read_into), MP_ROM_PTR(&native_read_into_obj) },
    { MP_ROM_QSTR(MP_QSTR_write_room), MP_ROM_PTR(&native_write_room_obj) },
    { MP_ROM_QSTR(MP_QSTR_write), MP_ROM_PTR(&native_write_obj) },
    { MP_ROM_QSTR(MP_QSTR_wait_us), MP_ROM_PTR(&native_wait_us_obj) },
    { MP_ROM_QSTR(MP_QSTR_heap_free), MP_ROM_PTR(&native_heap_free_obj) },
    { MP_ROM_QSTR(MP_QSTR_frame_encode), MP_ROM_PTR(&native_frame_encode_obj) },
    { MP_ROM_QSTR(MP_QSTR_frame_decode), MP_ROM_PTR(&native_frame_decode_obj) },
    { MP_ROM_QSTR(MP_QSTR_pack), MP_ROM_PTR(&native_pack_obj) },
};
static MP_DEFINE_CONST_DICT(native_globals, native_globals_table);

const mp_obj_module_t native_module = {
    .base = { &mp_type_module },
    .globals = (mp_obj_dict_t *)&native_globals,
};

MP_REGISTER_MODULE(MP_QSTR_pitkit_native, native_module);
