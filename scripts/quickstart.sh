#!/usr/bin/env bash
# From a fresh clone to scores: set up .venv, render the mini set, run the ideal observer on it, score it.
# Everything goes to build/quickstart/; data/ and results/ are not touched.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/venv.sh"
data=$root/build/quickstart/data
results=$root/build/quickstart/results
rm -rf "$results"
"$venv_python" -m generators render --mini --out "$data"
"$venv_python" -m inference all --mini --models ideal-observer --data "$data" --results "$results"
"$venv_python" "$root/tools/compute_metrics.py" --results "$results" --mini
