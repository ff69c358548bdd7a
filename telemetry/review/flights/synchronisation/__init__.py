"""Finding a video's synchronisation with a log by itself."""
