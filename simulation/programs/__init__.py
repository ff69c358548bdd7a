"""Compiled programs: the loop of a flight, the program on board, the Kalman filter, the world."""
