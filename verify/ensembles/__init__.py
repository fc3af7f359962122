"""Random ensembles of heads, each with what theory expects of it.

>>> ENSEMBLES["gaussian"].sample(3, n=2, N=5, seed=1).Q.shape
torch.Size([3, 2, 5])
"""

from verify.ensembles.ensemble import Ensemble
from verify.ensembles.entries import Correlated, Gaussian, LowPrecision, Rademacher, Sparse, Uniform
from verify.ensembles.finite import FiniteField
from verify.ensembles.frames import Orthogonal, TrainedLike
from verify.ensembles.laws import Expectation
from verify.ensembles.squares import Accumulation, Square
from verify.ensembles.statistics import COLUMNS, Frequency, Mean, Ratio, Statistic, Variance

__all__ = [
    "COLUMNS",
    "ENSEMBLES",
    "Ensemble",
    "Expectation",
    "Frequency",
    "Mean",
    "Ratio",
    "Statistic",
    "Variance",
]

#: The ensembles by name.
ENSEMBLES: dict[str, Ensemble] = {
    ensemble.name: ensemble
    for ensemble in (
        Gaussian(),
        Uniform(),
        Rademacher(),
        Orthogonal(),
        Correlated(),
        Sparse(),
        LowPrecision(),
        TrainedLike(),
        Square(),
        Accumulation(),
        FiniteField(),
    )
}
