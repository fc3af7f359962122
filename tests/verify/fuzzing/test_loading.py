"""Functions are found by name, and whatever a module does instead of being imported is said in one line."""

import pytest

from tests.verify.fuzzing import wrong
from verify.fuzzing import load
from verify.fuzzing.calling import CallError

HERE = "tests.verify.fuzzing.wrong"


def test_load():
    assert load(f"{HERE}:text") is wrong.text
    assert load("collections:Counter.most_common").__name__ == "most_common"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("no_colon", "'no_colon' does not name a function; write package.module:function"),
        (":f", "does not name a function"),
        ("no.such.module:f", "cannot import no.such.module: ModuleNotFoundError: No module named 'no'"),
        (f"{HERE}:nothing", f"{HERE} has no 'nothing'"),
        (f"{HERE}:NOT_A_FUNCTION", "is a int, not a function"),
    ],
)
def test_functions_that_cannot_be_found(spec, message):
    with pytest.raises(CallError, match=message):
        load(spec)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("raise SystemExit(0)", "cannot import MODULE: SystemExit: 0"),
        ("raise BaseException('no')", "cannot import MODULE: BaseException: no"),
        (
            "import numpy.nothing_of_this_name",
            "cannot import MODULE: ModuleNotFoundError: No module named 'numpy.nothing",
        ),
        ("def f(:", "cannot import MODULE: SyntaxError: "),
        ("def __getattr__(name): raise RuntimeError('later')", "cannot look up 'f' in MODULE: RuntimeError: later"),
    ],
)
def test_modules_that_cannot_be_imported(source, message, tmp_path, monkeypatch):
    module = f"unusable_{abs(hash(source))}"
    (tmp_path / f"{module}.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CallError, match=message.replace("MODULE", module)):
        load(f"{module}:f")


def test_an_interrupt_is_passed_on(tmp_path, monkeypatch):
    (tmp_path / "interrupted_at_once.py").write_text("raise KeyboardInterrupt")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        load("interrupted_at_once:f")
