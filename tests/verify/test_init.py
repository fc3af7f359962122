"""The package itself: its public names, and what importing it costs."""

import subprocess
import sys

import pytest

import verify


def test_every_public_name_is_there_and_none_besides():
    assert set(verify.__all__) == set(verify._HOMES)
    assert all(getattr(verify, name) is not None for name in verify.__all__)
    assert set(verify.__all__) <= set(dir(verify))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = verify.nothing


@pytest.mark.parametrize("module", ["verify", "verify.cli", "verify.registration"])
def test_importing_stays_free_of_torch(module):
    code = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
