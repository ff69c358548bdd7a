"""Scripts that fly simulated aircraft in lock-step: no clock, no process, the same each time.

from simulation.robots.connecting import connect_in_step

with connect_in_step("sim:ar100b?seed=3") as robot:
    robot.take_off(4.0)
    while robot.time_s < 60.0:
        robot.set_velocity(1.0, 0.0)
        robot.step(0.02)
"""
