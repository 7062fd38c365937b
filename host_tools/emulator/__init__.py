"""The emulated chip: the real RP2040 image on npm's rp2040js, with the same fixture as the simulator."""

from .launch import Board, Emulator, EmulatorBench

__all__ = ["Board", "Emulator", "EmulatorBench"]
