"""Mission board errors: why a mission is not carried to or from a board."""


class MissionBoardError(ValueError):
    """One sentence for the user, with the remedy."""


class OtherBoardError(MissionBoardError):
    """After the link was gone another board answers, which gets nothing."""
