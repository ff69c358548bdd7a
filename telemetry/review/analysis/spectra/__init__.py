"""Spectra of a field or expression over exactly the stretch of a recording that is asked for."""
