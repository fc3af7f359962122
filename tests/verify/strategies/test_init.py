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
