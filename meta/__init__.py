"""The dataset definition: registry, row schema, loader, conditions and digests.

Everything here needs the standard library alone and Python 3.9 syntax, so that a
model runner can read a CSV inside a foreign environment.
"""

from pathlib import Path

META_DIR = Path(__file__).resolve().parent
PROJECT_ROOT = META_DIR.parent
