"""What runs on the board. MicroPython; `board.py` alone touches the hardware modules."""
