"""Statistics of scores, one idea a module.

Conventions
-----------
* A rate is a proportion in 0..1. Functions on rates accept arrays and work element by element.
* An interval is two-sided; ``level`` is its coverage. Where there is none it is None.
* Trials of one parameter cell are not independent, so resampling draws, flips or leaves out whole clusters.
* Random draws come from a generator seeded by its arguments alone; 0 is a seed like any other.

Modules
-------
* ``rates``: d', criterion and illusion index.
* ``intervals``: Wilson's, percentile and BCa intervals.
* ``clusters``: sums over clusters, resampled or with one left out.
* ``paired``: two models on the same trials; sign-flip permutation, McNemar's test, Holm's correction.
* ``psychometric``: point of subjective equality and slope over a parameter.
"""

from tools.stats.clusters import N_BOOTSTRAP, bootstrap_sums, cluster_sums, influence, leave_one_out_sums
from tools.stats.intervals import (
    LEVEL,
    Floats,
    Interval,
    bca_interval,
    percentile_interval,
    wilson_interval,
)
from tools.stats.paired import bootstrap_p, holm, mcnemar_p, sign_flip_p
from tools.stats.rates import EVIDENCE, criterion, d_prime, d_prime_2afc, illusion_index, shrunk_rate

__all__ = [
    "EVIDENCE",
    "LEVEL",
    "N_BOOTSTRAP",
    "Floats",
    "Interval",
    "bca_interval",
    "bootstrap_p",
    "bootstrap_sums",
    "cluster_sums",
    "criterion",
    "d_prime",
    "d_prime_2afc",
    "holm",
    "illusion_index",
    "influence",
    "leave_one_out_sums",
    "mcnemar_p",
    "percentile_interval",
    "shrunk_rate",
    "sign_flip_p",
    "wilson_interval",
]
