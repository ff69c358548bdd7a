"""Other simulators beside ours: the same two manoeuvres in each, and what a step costs.

`make bench-peers` puts the others into an environment of their own, in which the modules
`*_flight.py` run; they import nothing of Lapwing but `manoeuvre.py`.
"""
