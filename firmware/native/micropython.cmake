# Read by MicroPython's build (USER_C_MODULES); `pitkit image build` puts this folder beside its own.
add_library(usermod_pitkit_native INTERFACE)
target_sources(usermod_pitkit_native INTERFACE
    ${CMAKE_CURRENT_LIST_DIR}/line.c
    ${CMAKE_CURRENT_LIST_DIR}/frame.c
    ${CMAKE_CURRENT_LIST_DIR}/heap.c
    ${CMAKE_CURRENT_LIST_DIR}/module.c
)
target_include_directories(usermod_pitkit_native INTERFACE ${CMAKE_CURRENT_LIST_DIR})
target_link_options(usermod_pitkit_native INTERFACE -Wl,--wrap=tud_cdc_rx_cb)
target_link_libraries(usermod INTERFACE usermod_pitkit_native)
