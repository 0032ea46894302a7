"""Show which rule reads an answer, and what it reads; see ``--help``.

Old Pythons must be able to read this file: it may be started with any, and goes on in the project's own.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

if __name__ == "__main__":
    sys.path.insert(0, ROOT)
    from tools.venv_python import use_project_python

    use_project_python(ROOT)
    from tools.answers_command import main

    main()
