#!/usr/bin/env bash
# Ask models the trials of tasks: ./scripts/run_models.sh all --gpus 0,1 ; --help tells the rest.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/venv.sh"
exec "$venv_python" -m inference "$@"
