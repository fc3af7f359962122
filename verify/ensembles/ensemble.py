"""The interface of a random ensemble of heads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeAlias

import torch

from proofs.fields import PrimeField
from verify.ensembles.laws import Expectation
from verify.errors import HypothesisError
from verify.heads import FLOATING, HeadBatch, HeadId

Parameters: TypeAlias = Mapping[str, float]
#: ``(Q, K)``, each ``(heads, n, N)`` float64.
Matrices: TypeAlias = tuple[torch.Tensor, torch.Tensor]

#: Numbers in the stacked matrices of one batch of a sample; a part of the definition of what a seed gives.
BATCH_NUMBERS = 2**19
#: Numbers in one head beyond which no sample is drawn: 1 GiB in float64.
HEAD_NUMBERS = 2**27


class Ensemble(ABC):
    """A random ensemble of heads.

    Attributes:
        name: as on the command line.
        description: how its matrices are drawn.
        parameters: their names and default values.
        is_square: whether its heads have n = N.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    parameters: ClassVar[Parameters] = {}
    is_square: ClassVar[bool] = False

    @abstractmethod
    def draw(self, heads: int, n: int, N: int, generator: torch.Generator, parameters: Parameters) -> Matrices:
        """Draw Q and K, for sizes and parameters that were checked."""

    @abstractmethod
    def expect(self, n: int, N: int, parameters: Parameters) -> list[Expectation]:
        """What is known, for sizes and parameters that were checked."""

    def check(self, n: int, N: int, parameters: Parameters) -> None:  # noqa: B027 (most sizes need no check)
        """Refuse sizes and parameters that the ensemble does not have.

        Raises:
            HypothesisError: with what it needs.
        """

    def field(self, parameters: Parameters) -> PrimeField | None:
        """The ground field of its heads, None for the real numbers."""
        return None

    def sample(
        self,
        heads: int,
        *,
        n: int,
        N: int,
        seed: int = 0,
        dtype: torch.dtype = torch.float64,
        parameters: Parameters | None = None,
    ) -> HeadBatch:
        """All heads of :meth:`batches` in one batch.

        Raises:
            HypothesisError: an unknown parameter, or sizes and parameters that the ensemble does not have.
        """
        batches = list(self.batches(heads, n=n, N=N, seed=seed, dtype=dtype, parameters=parameters))
        Q, K = (torch.cat([getattr(batch, name) for batch in batches]) for name in "QK")
        ids = tuple(i for batch in batches for i in batch.ids)
        return HeadBatch(Q, K, ids=ids, provenance=batches[0].provenance)

    def batches(
        self,
        heads: int,
        *,
        n: int,
        N: int,
        seed: int = 0,
        dtype: torch.dtype = torch.float64,
        parameters: Parameters | None = None,
    ) -> Iterator[HeadBatch]:
        """Draw heads in batches of moderate size, the same for the same arguments; global random state is left alone.

        Args:
            heads: number of heads, at least 1.
            n: head dimension.
            N: width.
            seed: of the generator, in [0, 2⁶⁴).
            dtype: the entries are drawn in float64 and rounded to it.
            parameters: those left out have their defaults.

        Raises:
            HypothesisError: an unknown parameter, or sizes and parameters that the ensemble does not have.

        >>> from verify.ensembles import ENSEMBLES
        >>> [batch.heads for batch in ENSEMBLES["gaussian"].batches(5000, n=4, N=16)]
        [4096, 904]
        """
        chosen = self.complete(n, N, parameters, dtype)
        _need(heads >= 1, f"a sample needs at least 1 head, not {heads}")
        _need(0 <= seed < 2**64, f"a seed lies in [0, 2⁶⁴), unlike {seed}")
        return self._draw_all(heads, n, N, seed, dtype, chosen)

    def _draw_all(
        self, heads: int, n: int, N: int, seed: int, dtype: torch.dtype, parameters: Parameters
    ) -> Iterator[HeadBatch]:
        generator = torch.Generator().manual_seed(seed)
        size = max(1, BATCH_NUMBERS // (2 * n * N))
        provenance = {"ensemble": self.name, "seed": seed, "parameters": dict(parameters)}
        for start in range(0, heads, size):
            count = min(size, heads - start)
            Q, K = self.draw(count, n, N, generator, parameters)
            ids = tuple(HeadId(self.name, 0, i, i) for i in range(start, start + count))
            batch = HeadBatch(Q.to(dtype), K.to(dtype), ids=ids, provenance=provenance)
            _need(
                bool((batch.Q.isfinite() & batch.K.isfinite()).all()),
                f"entries of the ensemble {self.name} overflow {dtype}; take a longer type or other parameters",
            )
            yield batch

    def expectations(
        self, *, n: int, N: int, dtype: torch.dtype = torch.float64, parameters: Parameters | None = None
    ) -> list[Expectation]:
        """What theory says about heads of this size; of entries rounded to a shorter dtype, what stays true.

        Raises:
            HypothesisError: an unknown parameter, or sizes and parameters that the ensemble does not have.

        >>> from verify.ensembles import ENSEMBLES
        >>> for e in ENSEMBLES["gaussian"].expectations(n=1, N=3)[:2]:
        ...     print(e.statistic, "=", e.value, "by", e.source)
        E[‖S‖²/‖L‖²] = 2/3 by Proposition 5
        E[‖S‖²]/E[‖L‖²] = 2/3 by Corollary 2
        """
        known = self.expect(n, N, self.complete(n, N, parameters, dtype))
        return [e for e in known if e.rounds or dtype == torch.float64]

    def complete(self, n: int, N: int, parameters: Parameters | None, dtype: torch.dtype) -> dict[str, float]:
        """The parameters with their defaults, after everything has been checked.

        Raises:
            HypothesisError: as :meth:`batches`.
        """
        given = dict(parameters or {})
        for name in given:
            _need(
                name in self.parameters,
                f"{self.name} has no parameter {name!r}; its parameters: {', '.join(self.parameters) or 'none'}",
            )
        _need(n >= 1 and N >= 1, f"heads of a sample need n ≥ 1 and N ≥ 1, not n = {n}, N = {N}")
        _need(2 * n * N <= HEAD_NUMBERS, f"a head with n = {n}, N = {N} is too large to sample; at most 2nN = 2²⁷")
        _need(dtype in FLOATING, f"heads are stored in {', '.join(map(str, FLOATING))}, not {dtype}")
        chosen = {**self.parameters, **given}
        self.check(n, N, chosen)
        field = self.field(chosen)
        _need(
            field is None or field.p * torch.finfo(dtype).eps <= 2,
            f"{dtype} cannot hold the residues of {field} exactly; take a longer type or a smaller field",
        )
        return chosen

    def need(self, condition: bool, what: str) -> None:
        """Raise unless a condition of the ensemble holds.

        Raises:
            HypothesisError: naming the ensemble and what it needs.
        """
        _need(condition, f"the ensemble {self.name} needs {what}")


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise HypothesisError(message)
