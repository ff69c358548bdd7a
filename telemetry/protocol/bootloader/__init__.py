"""Bootloader of the boards: its packets, its CRC, and how they are carried."""
