"""Start Lapwing from a checkout; `lapwing` does the same once it is installed."""

import sys

from app.cli import main

if __name__ == "__main__":
    sys.exit(main())
