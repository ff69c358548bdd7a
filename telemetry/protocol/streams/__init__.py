"""Sensor streams: pictures, scans and values of sensors that look, which no UAVObject carries."""
