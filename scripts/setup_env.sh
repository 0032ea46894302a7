#!/usr/bin/env bash
# Set up a model environment from env_specs/venv_NAME.txt: ./scripts/setup_env.sh NAME
# It goes to $ACOUMETER_VENVS (default .venvs/), where the runners of that environment are started from.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/venv.sh"
spec=$root/env_specs/venv_${1:-}.txt
if [ $# -ne 1 ] || [ ! -f "$spec" ]; then
    echo "usage: ./scripts/setup_env.sh NAME; there are: $(cd "$root/env_specs" && ls venv_*.txt | sed 's/^venv_//; s/\.txt$//' | tr '\n' ' ')" >&2
    exit 2
fi
make_venv "${ACOUMETER_VENVS:-${AIB_VENVS:-$root/.venvs}}/$1" "$spec"
