"""Finding the function that ``package.module:function`` names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from verify.fuzzing.calling import CallError, one_line


def load(spec: str) -> Callable[..., Any]:
    """The function that ``package.module:function`` names; the current directory is searched first.

    Raises:
        CallError: there is no such module or function, or it is not callable.

    >>> load("math:hypot")(3, 4)
    5.0
    """
    module_name, colon, path = spec.partition(":")
    if not colon or not module_name or not path:
        raise CallError(f"{spec!r} does not name a function; write package.module:function")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit among others: somebody's script
        raise CallError(f"cannot import {module_name}: {one_line(error)}") from error
    for name in path.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise CallError(f"{module_name} has no {path!r}; write package.module:function") from None
        except Exception as error:
            raise CallError(f"cannot look up {path!r} in {module_name}: {one_line(error)}") from error
    if not callable(found):
        raise CallError(f"{spec} is a {type(found).__name__}, not a function")
    function: Callable[..., Any] = found
    return function
