"""What a log tells: parameters with which the simulator repeats a flight, and how sure they are."""
