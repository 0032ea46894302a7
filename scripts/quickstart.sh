#!/usr/bin/env bash
# From a fresh clone to scores: set up .venv, render the mini set, run the ideal observer on it, score it.
# Audio goes to data/, answers to build/quickstart/; results/ is not touched.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/venv.sh"
results=$root/build/quickstart/results
"$venv_python" -m generators render --mini
"$venv_python" -m inference all --mini --models ideal-observer --results "$results"
"$venv_python" "$root/tools/compute_metrics.py" --results "$results" --mini
