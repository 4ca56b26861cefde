# Two commands do everything on a fresh machine: `make demo` and `make test`. They need python >= 3.11, git and make.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
HOME_DIR ?= .wildtool

# The newest interpreter that will do; PYTHON=... overrides.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)

# Fast tests share nothing but what a file of them shares; more processes than four gain nothing.
PARALLEL := -n auto --maxprocesses 4 --dist loadfile

# uv installs in seconds what pip takes minutes for; where it is not to be had, pip does the same from the same pins.
UV_VERSION := 0.13.9

.PHONY: help setup demo stop test check audit licences fast e2e bench mutants clean

help:
	@echo "make demo    set up, then run the whole pipeline on examples/ (leaves Label Studio running)"
	@echo "make stop    stop the demo's Label Studio"
	@echo "make test    set up, then lint, types, walls, fast tests, end-to-end tests"
	@echo "make check   lint, types, walls, licences   make fast   fast tests only     make e2e   slow tests only"
	@echo "make audit   licences, and known vulnerabilities of pinned packages      make licences   write docs/licences.md"
	@echo "make bench   run the benchmarks, write docs/results/benchmarks.md; ONLY=scoring,drafting for some, FULL=1 for full sizes (hours)"
	@echo "make mutants break the modules that decide on scores and data, count what their tests notice, write docs/results/mutants.md; ONLY=quotas for one"
	@echo "make clean   remove the environment and the demo's home"

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "error: no python >= 3.11 found"; echo "remedy: install one, or say make PYTHON=/path/to/python $(MAKECMDGOALS)"; exit 2; }
	@echo "▸ setting up $(VENV) with $(PYTHON) (first time only)"
	@$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv $(VENV) || { echo "error: $(PYTHON) cannot make a virtual environment"; echo "remedy: install its venv module (Debian: apt-get install python3-venv)"; exit 2; }
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION); then \
		$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt -e '.[dev]'; \
	else false; fi || { echo "  uv cannot be used here: installing with pip, which takes some minutes"; \
		$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[dev]'; }
	@touch $@

demo: $(READY)
	@$(BIN)/wildtool build examples/logs --profile demo --model offline --auto-label --release 0.1.0 --home $(HOME_DIR)

stop: $(READY)
	@$(BIN)/wildtool annotate serve --stop --home $(HOME_DIR)

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/python -m wildtool.schemas.generate --check
	$(BIN)/python .ci/audit.py --licences-only

audit: $(READY)
	$(BIN)/python .ci/audit.py

licences: $(READY)
	$(BIN)/python .ci/audit.py --licences-only --write

fast: $(READY)
	$(BIN)/python -m pytest -m "not e2e" $(PARALLEL)

e2e: $(READY)
	$(BIN)/python -m pytest -m e2e

test: check
	$(BIN)/python -m pytest -m "not e2e" $(PARALLEL)
	$(BIN)/python -m pytest -m e2e

bench: $(READY)
	$(BIN)/python -m benchmarks.runall $(if $(ONLY),--only $(ONLY)) $(if $(FULL),--full)

mutants: $(READY)
	$(BIN)/python -m benchmarks.mutants $(if $(ONLY),--only $(ONLY),--write) $(if $(SEED),--seed $(SEED))

clean:
	-@$(BIN)/wildtool annotate serve --stop --home $(HOME_DIR) 2>/dev/null
	rm -rf $(VENV) $(HOME_DIR)
