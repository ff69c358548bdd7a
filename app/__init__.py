"""Station: the window, its commands, and the command line, put together of all the rest."""
