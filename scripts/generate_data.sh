#!/usr/bin/env bash
# Render the audio of tasks: ./scripts/generate_data.sh [TASK]... ; --help tells the rest.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/venv.sh"
exec "$venv_python" -m generators render "$@"
