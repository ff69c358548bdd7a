"""What a search in a job tells the window, and is told by it."""

import threading
from dataclasses import dataclass, field


@dataclass
class SearchProgress:
    """`share` of the work that is done, 0 to 1; and whether it is called off."""

    share: float = 0.0
    is_cancelled: threading.Event = field(default_factory=threading.Event)

    def tell(self, share: float) -> None:
        """Say from the job how far it is."""
        self.share = share
