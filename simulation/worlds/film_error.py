"""Film errors: why there is no film."""


class FilmError(RuntimeError):
    """A film that cannot be made. One sentence for the user, with the remedy."""


class NoRendererError(FilmError):
    """This machine cannot draw."""
