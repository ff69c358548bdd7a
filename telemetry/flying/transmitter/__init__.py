"""Transmitter of the station: the order it carries out, and the rules by which it ends."""
