import re
from pathlib import Path

import proofs


def test_the_table_of_contents_names_every_module_once():
    listed = re.findall(r"``(\w+)``", proofs.__doc__)
    here = Path(proofs.__file__).parent
    there = {path.stem for path in here.glob("*.py")} | {path.name for path in here.iterdir() if path.is_dir()}
    assert sorted(listed) == sorted(there - {"__init__", "__pycache__", "errors"})
