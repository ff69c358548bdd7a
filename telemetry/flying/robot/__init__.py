"""Robots as objects: one interface for a real aircraft, a simulated one and a recording.

    from telemetry.flying.robot.connecting import connect

    with connect("tcp:127.0.0.1:9000") as robot:
        robot.take_off(3.0)
        robot.go_to(10.0, 0.0, 5.0)
        for sample in robot.samples("AttitudeState"):
            ...

The framework of Dijkshoorn and Visser (seed 002) does this for the AR.Drone and USARSim.
"""
