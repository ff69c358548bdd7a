"""Identification: parameters with which the simulator repeats a logged flight, with sigmas."""
