# Runs first at every start, before boot.py and before USB is up; nothing is mounted yet, so all
# imports here are frozen ones. It leaves it so: a file on the flash must never stand in for a
# frozen module.
import sys

import micropython
import rp2
import vfs
from board_data import BOARD

micropython.kbd_intr(-1)
sys.path[:] = [".frozen"]


def mount(start, length):
    area = rp2.Flash(start=start, len=length)
    try:
        files = vfs.VfsLfs2(area, progsize=256)
    except OSError:  # never formatted, or damaged
        vfs.VfsLfs2.mkfs(area, progsize=256)
        files = vfs.VfsLfs2(area, progsize=256)
    vfs.mount(files, "/")


try:
    mount(*BOARD["flash"]["files"])
except Exception as error:  # the table plays without a file system
    sys.print_exception(error)
