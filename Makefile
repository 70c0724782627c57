# Everything runs from .venv, which the first target that needs it sets up. Nothing outside this folder is changed,
# except that on a bare Debian, as root, the missing package for virtual environments is installed.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
# Twice quiet: errors only.
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.PHONY: help setup play test test-long bench rulebook clean

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## set up .venv, if it is not up to date

# The stamp is written last, so a set-up that was interrupted starts again.
$(STAMP): requirements.txt pyproject.toml
	@rm -f $@
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Flagplot needs Python 3.11 or later; name one with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "installing python3-venv"; \
			export DEBIAN_FRONTEND=noninteractive; \
			apt-get -qq update >/dev/null || true; \
			apt-get -qq install -y python3-venv >/dev/null 2>&1 || true; \
			$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
				minor=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
				apt-get -qq install -y "python$$minor-venv" >/dev/null || true; }; \
		fi; \
		$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
			{ echo "Python cannot make virtual environments here: install the package python3-venv, then run make again." >&2; exit 1; }; \
	fi
	@if ! $(PIP) --version >/dev/null 2>&1; then echo "making $(VENV)"; $(PYTHON) -m venv --clear $(VENV); fi
	@echo "installing what requirements.txt pins"
	@$(PIP) install --require-hashes -r requirements.txt
	@echo "installing flagplot"
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

play: $(STAMP) ## play a battle in the browser
	@$(BIN)/flagplot serve --ready-battle

test: $(STAMP) ## lint, format, types, tests, branch coverage, rulebook
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@mkdir -p build && rm -f build/coverage*
	@$(BIN)/coverage run -m pytest -q -n 2
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --fail-under=100 \
		--include='src/flagplot/core/*,src/flagplot/tables/*,src/flagplot/rules/*'
	@$(BIN)/python tools/rulebook.py --check

test-long: $(STAMP) ## the long campaigns
	@$(BIN)/python -m pytest -q -n 2 -m long

bench: $(STAMP) ## measure speed
	@$(BIN)/python -m bench

rulebook: $(STAMP) ## run the tests and write docs/rulebook.md anew
	@$(BIN)/python tools/glossary.py
	@$(BIN)/python -m pytest -q -n 2
	@$(BIN)/python tools/rulebook.py

clean: ## remove .venv, caches and build output
	@rm -rf $(VENV) build dist htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
