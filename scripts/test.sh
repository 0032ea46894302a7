#!/usr/bin/env bash
# Lint, type-check and test; arguments go to pytest: ./scripts/test.sh -k shepard
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/venv.sh"
cd "$root"
"$venv_python" -m ruff check .
"$venv_python" -m ruff format --check .
"$venv_python" -m mypy
exec "$venv_python" -m pytest "$@"
