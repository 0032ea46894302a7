"""Show which rule reads an answer, and what it reads; see ``--help``.

Old Pythons must be able to read this file: it may be started with any, and goes on in the project's own.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def _use_project_root():
    """Put the project root where Python put ``tools/``, whose modules would else be importable by bare names."""
    tools = os.path.join(ROOT, "tools")
    sys.path[:] = [ROOT] + [path for path in sys.path if os.path.realpath(path or ".") not in (tools, ROOT)]


if __name__ == "__main__":
    _use_project_root()
    from tools.venv_python import use_project_python

    use_project_python(ROOT)
    from tools.answers_command import main

    main()
