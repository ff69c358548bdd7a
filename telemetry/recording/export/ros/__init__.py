"""ROS export: a recording as topics of standard messages, in MCAP files and ROS 2 bags."""
