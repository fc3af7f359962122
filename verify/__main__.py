"""``python -m verify`` is the command ``headforms``."""

from verify.cli import main

main()
