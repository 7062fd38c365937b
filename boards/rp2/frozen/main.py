# Starts the table. Found before a main.py on the flash, which therefore never runs.
import micropython

micropython.kbd_intr(-1)  # the port hands Ctrl-C back before each script

try:
    from firmware import main

    main.run()
except Exception as crash:
    # a crash must not leave a REPL to whoever holds the cable: say why, and start again
    import sys
    import time

    import machine

    sys.print_exception(crash)
    time.sleep_ms(1000)
    machine.reset()
