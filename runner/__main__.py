"""`python -m runner`: the command line."""

import sys

from runner.cli import main

sys.exit(main())
