import inspect
import subprocess
import sys

CODE = """
import sys
sys.modules["hypothesis"] = None  # as if it were not installed
import verify
import verify.verdicts
try:
    import verify.strategies
except ImportError as error:
    print(error)
"""


def test_without_hypothesis_the_error_says_what_to_install():
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == (
        "verify.strategies needs Hypothesis; install it with: pip install 'headforms[strategies]'"
    )


def test_public_names():
    import verify.strategies

    assert all(hasattr(verify.strategies, name) for name in verify.strategies.__all__)


def test_arguments_with_defaults_are_keyword_only():
    import verify.strategies
    from verify.strategies.coverage import coverage

    functions = [f for name in verify.strategies.__all__ if inspect.isfunction(f := getattr(verify.strategies, name))]
    assert len(functions) > 10
    for function in (*functions, coverage):
        for parameter in inspect.signature(function).parameters.values():
            has_default = parameter.default is not parameter.empty
            assert parameter.kind is parameter.KEYWORD_ONLY or not has_default, (function, parameter)
