"""Pictures, scans and values of sensors that look: what no UAVObject carries."""
