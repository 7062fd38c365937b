"""What is frozen into the image of a board with MicroPython's rp2 port; read by its own build.

`modules` lies beside this file when an image is built: the packages firmware and rules_min, the
scripts of frozen/, and board_data. Of the port's modules only rp2 comes along: _boot is ours.
"""

import os

freeze("$(PORT_DIR)/modules", "rp2.py")  # noqa: F821

found = []
for folder, _, names in os.walk("modules"):
    found += [os.path.relpath(os.path.join(folder, name), "modules") for name in names]  # noqa: PTH118

# in the order of their names: a folder's own order differs from disk to disk, and so would the image
freeze("modules", sorted(found))  # noqa: F821
