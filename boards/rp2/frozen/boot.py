# Empty on purpose: it is found before a boot.py on the flash, which therefore never runs.
