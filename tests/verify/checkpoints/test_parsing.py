import tomllib

import pytest

from verify.checkpoints.config import Config
from verify.checkpoints.layout import Gain, Layout, Method, NormKind, Orientation, Style
from verify.checkpoints.orders import Order
from verify.checkpoints.parsing import parse_layouts
from verify.errors import LayoutError


def parse(text: str) -> dict[str, Layout]:
    return parse_layouts(tomllib.loads(text), "my.toml", known={})


def test_every_word_reaches_its_place() -> None:
    [attention] = parse(
        """
        [toy]
        stack = "encoder"
        heads = [12, "n"]
        fused = "h.{layer}.qkv"
        order = "group"
        orientation = "conv1d"
        norm = { kind = "rms", tensor = "h.{layer}.n", gain = "1+w" }
        position = { method = "rotary", style = "interleaved", dims = "rotary_dim" }
        scale = 0.5
        not_bilinear = [{ text = "clamped", when = { clip = { given = true } } }]
        """
    )["toy"].attentions
    assert (attention.stack, attention.heads, attention.order) == ("encoder", (12, "n"), Order.GROUP)
    assert attention.orientation is Orientation.CONV1D
    assert (attention.norm.kind, attention.norm.gain) == (NormKind.RMS, Gain.ONE_PLUS_WEIGHT)
    assert (attention.position[0].method, attention.position[0].style) == (Method.ROTARY, Style.INTERLEAVED)
    assert attention.scale.factor == (0.5,)
    assert attention.not_bilinear[0].when.holds(Config({"clip": 8.0}, ""))


def test_like_takes_over_words_and_merges_defaults() -> None:
    layouts = parse(
        """
        [base]
        query = "l.{layer}.q"
        key = "l.{layer}.k"
        position = "learned"
        [base.defaults]
        a = 1
        b = 2
        [child]
        like = "base"
        position = "none"
        [child.defaults]
        b = 3
        """
    )
    [child] = layouts["child"].attentions
    assert child.query == layouts["base"].attentions[0].query
    assert child.position[0].method is Method.NONE
    assert dict(layouts["child"].defaults) == {"a": 1, "b": 3}


def test_words_of_the_type_hold_for_each_attention() -> None:
    layout = parse(
        """
        [t]
        heads = "h"
        [[t.attention]]
        stack = "encoder"
        query = "e.{layer}.q"
        key = "e.{layer}.k"
        [[t.attention]]
        stack = "decoder"
        role = "cross"
        query = "d.{layer}.q"
        """
    )["t"]
    assert [(a.stack, a.heads) for a in layout.attentions] == [("encoder", ("h",)), ("decoder", ("h",))]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("qery = 'a'", r"my.toml \[t\]: unknown word 'qery'; did you mean 'query'\?"),
        ("query = 'a.{layer}'", "give either query and key, or fused"),
        ("query = 'a'\nkey = 'b'\nfused = 'c'", "give either query and key, or fused"),
        ("fused = 'a.{layers}'", "may stand in braces"),
        ("fused = 'a.{layer'", "fused is"),
        ("fused = 3", "fused is 3; a string was expected"),
        ("fused = 'a'\norder = 'qkv'", "order is 'qkv'; expected one of cat, head, group, mp4_qvk"),
        ("fused = 'a'\nheads = true", "heads is True; a configuration key or a number was expected"),
        ("fused = 'a'\ngated = 1", "gated is 1; true or false was expected"),
        ("fused = 'a'\nwhen = 'x'", "a table of configuration keys was expected"),
        ("fused = 'a'\nwhen = { x = { beyond = 1 } }", "expected a value, {given = …} or {above = …}"),
        ("fused = { name = 'a' }", "a table here holds only 'names'"),
        ("fused = 'a'\nqk_norm = [{ gain = 'w' }]", "lacks kind"),
        ("fused = 'a'\nonly = 3", "3 is not a table"),
        ("like = 'nobody'", "is like 'nobody', which is not a model type"),
        ("like = 't'", "is like itself through t"),
        ("fused = 'a'\nattention = 'b'", r"write each attention as its own \[\[t.attention\]\] table"),
    ],
)
def test_mistakes_are_named(body: str, words: str) -> None:
    with pytest.raises(LayoutError, match=words):
        parse(f"[t]\n{body}")
