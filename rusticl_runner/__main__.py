"""`python -m rusticl_runner`: the command line."""

import sys

from rusticl_runner import main

sys.exit(main())
