"""A batch of attention heads: query and key matrices with their provenance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from verify.dyadic import ExactRows
from verify.errors import ShapeError, SourceError

FLOATING = (torch.float64, torch.float32, torch.bfloat16, torch.float16)


@dataclass(frozen=True, order=True)
class HeadId:
    """The name of a head everywhere: its stack, layer, query head, and the key head it is paired with."""

    stack: str
    layer: int
    head: int
    kv_head: int

    def __str__(self) -> str:
        return f"{self.stack} layer {self.layer} head {self.head}"


@dataclass(frozen=True, eq=False)
class HeadBatch:
    """Heads of one shape, as stored numbers.

    A batch claims nothing about attention: it is a stack of pairs (Q, K) acting on column vectors, ``x ↦ Qx``, whose
    bilinear form is ``L = KᵀQ``. The entries are exact dyadic rationals, and every verdict is about *those* numbers.

    Args:
        Q: query matrices, ``(heads, n, N)``, float16, bfloat16, float32 or float64.
        K: key matrices, same shape, dtype and device as ``Q``.
        ids: one :class:`HeadId` per head; by default layer 0 of the stack ``"heads"``, numbered in order.
        provenance: what a record repeats about where the numbers came from (file, tensor names, layout, folding …),
            the same for all heads of the batch.
        stored_dtype: the dtype the checkpoint stored, if ``Q`` and ``K`` were derived from it (folded, dequantised).
        exact: for derived matrices that float64 cannot hold: a function for each head that gives its exact
            ``[K; Q]``, of which ``Q`` and ``K`` are then only the rounding. Verdicts are about the exact matrix.
        rounding: with ``exact``, ``(heads,)`` float64: the Euclidean distance of every row of the exact ``[K; Q]``
            from the row in ``Q`` or ``K`` is at most ``rounding`` times the length of the latter.

    Tensors that require a gradient are taken without it.

    Raises:
        ShapeError: not tensors with numbers in them, or shapes, dtypes, devices or the number of ids do not match.

    >>> batch = HeadBatch(torch.eye(2, 5).unsqueeze(0), torch.eye(2, 5).roll(2, 1).unsqueeze(0))
    >>> batch.heads, batch.n, batch.N, batch.is_big
    (1, 2, 5, False)
    """

    Q: torch.Tensor
    K: torch.Tensor
    ids: tuple[HeadId, ...] = ()
    provenance: dict[str, Any] = field(default_factory=dict)
    stored_dtype: torch.dtype | None = None
    exact: tuple[Callable[[], ExactRows], ...] | None = None
    rounding: torch.Tensor | None = None

    def __post_init__(self) -> None:
        for name, matrix in (("Q", self.Q), ("K", self.K)):
            if (
                not isinstance(matrix, torch.Tensor)
                or matrix.device.type == "meta"
                or matrix.layout is not torch.strided
            ):
                raise ShapeError(
                    f"{name} is {_what(matrix)}; give a dense torch tensor, for example torch.as_tensor({name})"
                )
            object.__setattr__(self, name, matrix.detach())
        Q, K = self.Q, self.K
        if Q.ndim == 2 and K.ndim == 2:
            raise ShapeError(
                f"Q and K are single matrices of shape {tuple(Q.shape)} and {tuple(K.shape)}; a batch has shape "
                f"(heads, n, N): use Q.unsqueeze(0), K.unsqueeze(0)"
            )
        if Q.ndim != 3 or Q.shape != K.shape:
            raise ShapeError(
                f"Q has shape {tuple(Q.shape)} and K {tuple(K.shape)}; both must be (heads, n, N). "
                f"For grouped-query attention repeat each key head for its query heads"
            )
        if Q.dtype not in FLOATING or Q.dtype != K.dtype:
            raise ShapeError(f"Q is {Q.dtype} and K {K.dtype}; both must have one dtype among {_names(FLOATING)}")
        if Q.device != K.device:
            raise ShapeError(f"Q is on {Q.device} and K on {K.device}; move both to one device")
        if not self.ids:
            object.__setattr__(self, "ids", tuple(HeadId("heads", 0, h, h) for h in range(Q.shape[0])))
        if len(self.ids) != Q.shape[0]:
            raise ShapeError(f"{len(self.ids)} head ids for {Q.shape[0]} heads")
        if (self.exact is None) != (self.rounding is None):
            raise ShapeError("exact rows and the bound of their rounding go together; give both or neither")
        if (
            self.exact is not None
            and self.rounding is not None
            and not (len(self.exact) == len(self.rounding) == Q.shape[0])
        ):
            raise ShapeError(f"{len(self.exact)} exact heads, {len(self.rounding)} bounds for {Q.shape[0]} heads")

    @property
    def heads(self) -> int:
        """Number of heads in the batch."""
        return self.Q.shape[0]

    @property
    def n(self) -> int:
        """Head dimension."""
        return self.Q.shape[1]

    @property
    def N(self) -> int:
        """Width of the residual stream."""
        return self.Q.shape[2]

    @property
    def is_big(self) -> bool:
        """Whether ``2n > N``, so that no head of this shape can be nondegenerate."""
        return 2 * self.n > self.N

    def stacked(self) -> torch.Tensor:
        """``M = [K; Q]`` in float64, ``(heads, 2n, N)``. The conversion is exact for every admitted dtype."""
        return torch.cat([self.K, self.Q], dim=1).to(torch.float64)

    def select(self, indices: Sequence[int]) -> HeadBatch:
        """The sub-batch of the given heads, in the given order."""
        rows = list(indices)
        return replace(
            self,
            Q=self.Q[rows],
            K=self.K[rows],
            ids=tuple(self.ids[i] for i in rows),
            exact=None if self.exact is None else tuple(self.exact[i] for i in rows),
            rounding=None if self.rounding is None else self.rounding[rows],
        )

    def exact_rows(self, head: int) -> ExactRows:
        """The exact ``[K; Q]`` of one head, as integers: what every verdict is about."""
        if self.exact is not None:
            return self.exact[head]()
        return ExactRows.of(torch.cat([self.K[head], self.Q[head]]).to(torch.float64).cpu().numpy())

    @property
    def roundoff(self) -> float:
        """The unit roundoff of the stored dtype."""
        return torch.finfo(self.stored_dtype or self.Q.dtype).eps / 2

    def to(self, device: str | torch.device) -> HeadBatch:
        """The same batch on another device.

        Raises:
            SourceError: a device that torch does not know or does not have here.
        """
        require_device(device)
        return replace(self, Q=self.Q.to(device), K=self.K.to(device))


def require_device(device: str | torch.device) -> None:
    """Refuse a device that torch does not know or does not have here.

    Raises:
        SourceError: with what to use instead.
    """
    try:
        one = torch.ones(1, 1, dtype=torch.float64, device=device)
        float(one @ one)
    except (RuntimeError, AssertionError, TypeError) as error:
        what = str(error).splitlines()[0].rstrip(".")
        raise SourceError(f"device '{device}' cannot be used for float64 ({what}); use --device cpu") from None


def _what(matrix: object) -> str:
    if isinstance(matrix, torch.Tensor):
        return f"a tensor of layout {matrix.layout} on {matrix.device}"
    return f"a {type(matrix).__module__}.{type(matrix).__qualname__}"


def _names(dtypes: Sequence[torch.dtype]) -> str:
    return ", ".join(str(d).removeprefix("torch.") for d in dtypes)
