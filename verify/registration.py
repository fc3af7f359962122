"""The hook by which Hypothesis learns the strategies of our types, run whenever Hypothesis is imported.

It must be light: the strategies themselves, and torch with them, are imported when the first example is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from proofs.fields import Field
from proofs.heads import Head

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def register() -> None:
    """Register strategies for exact heads and ground fields, so that ``st.from_type(Head)`` works.

    Stored heads (:class:`verify.heads.HeadBatch`) are registered when :mod:`verify.strategies` is imported, since
    their type comes with torch.
    """
    # Here, since Hypothesis imports this module while it is imported itself.
    from hypothesis import strategies as st  # noqa: PLC0415

    def draw_heads(_: type[Any]) -> SearchStrategy[Any]:
        from verify.strategies import fields, heads  # noqa: PLC0415

        return heads(field=fields())

    def draw_fields(_: type[Any]) -> SearchStrategy[Any]:
        from verify.strategies import fields  # noqa: PLC0415

        return fields()

    st.register_type_strategy(Head, draw_heads)
    st.register_type_strategy(Field, draw_fields)
