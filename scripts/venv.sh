# Sourced by the other scripts: sets up .venv when it is missing or older than what it is made from, and
# leaves its Python in $venv_python.

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
venv_python=$root/.venv/bin/python

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3.11 python3.12 python3.13 python3 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "error: Python 3.11 or newer is needed and none was found; install it, or name one: PYTHON=/path/to/python3.11 $0" >&2
    return 1
}

# make_venv FOLDER REQUIREMENTS: make a virtual environment unless one made from the same pins is there.
# The stamp is written last, so that a set-up that was interrupted is begun anew.
make_venv() {
    local folder=$1 requirements=$2 stamp=$1/made-from wanted python
    wanted=$(cat "$requirements" "$root/pyproject.toml" | cksum)
    if [ -x "$folder/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
        return
    fi
    if ! mkdir -p "$(dirname "$folder")" || ! [ -w "$(dirname "$folder")" ]; then
        echo "error: $(dirname "$folder") cannot be written, so $folder cannot be set up there; use a clone of your own" >&2
        return 1
    fi
    (
        # two scripts started at once must not set it up together
        if command -v flock >/dev/null; then
            flock 9
            [ -x "$folder/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit
        fi
        python=$(find_python)
        if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
            echo "error: $python lacks the venv module; install it (on Debian and Ubuntu: apt-get install python3-venv) and try again" >&2
            exit 1
        fi
        echo "setting up $folder (once, about a minute) ..." >&2
        rm -f "$stamp"
        "$python" -m venv --clear "$folder"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -e "$root"
        echo "$wanted" > "$stamp"
    ) 9>"$folder.lock"
}

make_venv "$root/.venv" "$root/requirements.txt"

# this clone's code, whatever folder the caller stands in and wherever .venv was made
export PYTHONPATH=$root${PYTHONPATH:+:$PYTHONPATH} PYTHONSAFEPATH=1
