"""Run the tools with the project's own Python, whichever Python started them.

Old Pythons must be able to read this file, so it uses no newer syntax.
"""

import os
import sys

_STARTED = "ACOUMETER_PYTHON_STARTED"


def use_project_python(root):
    """Replace this process by ``.venv/bin/python`` if that exists and is another Python.

    Without a virtual environment the running Python is kept if it has what the tools need;
    otherwise the process ends with status 1 and a message that says what to do.
    """
    _leave_tools_folder(root)
    environment = os.path.join(root, ".venv")
    python = os.path.join(environment, "bin", "python")
    # compared by prefix: the executable of a virtual environment is a link to the Python that made it
    is_project_python = os.path.realpath(sys.prefix) == os.path.realpath(environment)
    if not is_project_python and os.path.exists(python):
        # the process id survives the replacement, but is another one in programs that this one starts
        if os.environ.get(_STARTED) != str(os.getpid()):
            os.environ[_STARTED] = str(os.getpid())
            try:
                os.execv(python, [python] + sys.argv)
            except OSError as error:
                sys.exit(python + " cannot be started (" + str(error) + "); run ./scripts/quickstart.sh to set it up")
    missing = _missing_packages()
    if missing:
        what = ", ".join(missing) + " missing in " + sys.executable
        if is_project_python:
            sys.exit(what + "; rm -rf .venv and run ./scripts/quickstart.sh, which sets it up anew")
        sys.exit(what + "; run ./scripts/quickstart.sh, which sets up .venv")


def _leave_tools_folder(root):
    """Put the project root where Python put ``tools/``, whose modules would else be importable by bare names."""
    left = (os.path.join(root, "tools"), root)
    sys.path[:] = [root] + [path for path in sys.path if os.path.realpath(path or ".") not in left]


def _missing_packages():
    if sys.version_info < (3, 11):  # noqa: UP036
        return ["Python 3.11 or later"]
    from importlib.util import find_spec

    return [name for name in ("click", "numpy", "scipy") if find_spec(name) is None]
