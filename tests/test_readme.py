"""The README's Python runs, and its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import torch

import verify
from tests.verify.test_auditing import llama
from verify.checkpoints.registry import known_types
from verify.cli import COMMANDS

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_block_runs(tmp_path: Path) -> None:
    llama(tmp_path)
    code = PYTHON[0].replace("path/to/checkpoint", str(tmp_path))
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    scope: dict = {}
    exec(code, scope)
    assert scope["run"].counts["proved"] == 16
    assert isinstance(scope["batch"].Q, torch.Tensor)


def test_the_block_of_tests_runs() -> None:
    assert len(PYTHON) == 2
    scope: dict = {"my_signature": verify.inertia}
    exec(PYTHON[1], scope)
    tests = [scope[name] for name in scope if name.startswith("test_")]
    assert len(tests) == 3
    for test in tests:
        test()


def test_the_words_about_tests_run() -> None:
    section = README.split("## In your tests")[1].split("\n## ")[0]
    scope: dict = {}
    exec("from proofs.fields import *\nfrom proofs.fields import Field\nfrom proofs.heads import Head", scope)
    exec("from proofs.forms import Form\nfrom verify import laws\nfrom verify.strategies import *", scope)
    exec("from hypothesis import find, strategies as st", scope)
    for word in ("QQ", "RR", "GF(7)", "Qp(7)"):
        assert f"`{word.replace('7', 'p')}`" in section
        assert isinstance(eval(word, scope), scope["Field"])
    for word in ("st.from_type(Head)", "symmetric_forms(field=Qp(2), witt_index=1)", "spectra", "rotary"):
        assert f"`{word}`" in section
        assert eval(word, scope) is not None
    assert callable(scope["gauge_transforms"])
    assert callable(scope["orthogonal_matrices"])
    line = re.search(r"`(for law in [^`]*)`", section)[1]
    shown: list[str] = []
    exec(line, {**scope, "print": shown.append})
    assert shown == [repr(law) for law in scope["laws"].LAWS]


def test_the_commands_it_names_exist() -> None:
    makefile = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make (\w+)", README):
        if target not in {"it"}:
            assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target
    for command in re.findall(r"headforms (\w+) path", README):
        assert command in COMMANDS


def test_the_number_of_model_types_is_that_of_the_registry() -> None:
    assert re.search(r"(\d+) model types: ", README)[1] == str(len(known_types()))
