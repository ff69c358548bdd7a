"""Parameters from measurements on a bench."""
