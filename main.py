"""Start Lapwing from a checkout; `lapwing` does the same once it is installed."""

import sys

from lapwing import main

if __name__ == "__main__":
    sys.exit(main())
