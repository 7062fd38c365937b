// The functions of pitkit_native, as module.c lists them.
#pragma once

#include "py/obj.h"

MP_DECLARE_CONST_FUN_OBJ_1(native_read_into_obj);
MP_DECLARE_CONST_FUN_OBJ_0(native_write_room_obj);
MP_DECLARE_CONST_FUN_OBJ_1(native_write_obj);
MP_DECLARE_CONST_FUN_OBJ_1(native_wait_us_obj);
MP_DECLARE_CONST_FUN_OBJ_0(native_heap_free_obj);
MP_DECLARE_CONST_FUN_OBJ_VAR_BETWEEN(native_frame_encode_obj);
MP_DECLARE_CONST_FUN_OBJ_1(native_frame_decode_obj);
MP_DECLARE_CONST_FUN_OBJ_2(native_pack_obj);
