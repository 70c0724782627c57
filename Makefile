# Everything runs from .venv, which the first target that needs it sets up. Nothing outside this folder is changed,
# except that on Debian, as root, missing packages are installed: the one for virtual environments, and for the tests a
# browser, a PostgreSQL and strace.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
# Compiled Python is kept even where the environment says otherwise: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
# Twice quiet: errors only.
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.PHONY: help setup play for-tests test test-long bench rulebook clean

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

# What the tests of the web server need beside Python. Where it cannot be had they are skipped, and say so.
# Of Chromium the part without windows does, and takes two thirds of the time; where only the whole is here, that.
# The tests start a PostgreSQL of their own: the one that Debian's package would set up is not wanted.
for-tests:
	@missing() { \
		command -v $$1 >/dev/null || printf ' chromium-headless-shell'; \
		command -v strace >/dev/null || printf ' strace'; \
		{ command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1 || printf ' postgresql'; \
	}; \
	add() { apt-get -qq install -y --no-install-recommends -o Dpkg::Options::=--force-confold "$$@" </dev/null >/dev/null 2>&1; }; \
	wanted=$$(missing chromium-headless-shell); \
	if [ -n "$$wanted" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing$$wanted"; \
		export DEBIAN_FRONTEND=noninteractive; \
		case "$$wanted" in *postgresql*) if [ ! -e /etc/postgresql-common ]; then \
			mkdir -p /etc/postgresql-common; \
			echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf; \
		fi;; esac; \
		apt-get -qq update >/dev/null 2>&1 || true; \
		for name in $$wanted; do \
			case $$name in \
				chromium*) add $$name fonts-liberation || command -v chromium >/dev/null || add chromium fonts-liberation || true;; \
				*) add $$name || true;; \
			esac; \
		done; \
	fi; \
	here=chromium-headless-shell; command -v $$here >/dev/null || here=chromium; \
	for name in $$(missing $$here); do \
		echo "The tests that need the package $$name are skipped: it is not here and could not be installed." >&2; \
	done

# The tests that prove rules and cover their code run last, and by themselves: measuring slows them down. In the others
# calls of rules are not noted. What they try in small numbers, or with one database only, test-long tries at length.
PROVING = tests/rules tests/tables tests/core tests/cases tests/examples tests/scenarios \
	tests/cli/test_air_tables.py tests/properties/test_swap.py

test: $(STAMP) for-tests ## lint, format, types, tests, branch coverage, rulebook
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@mkdir -p build && rm -f build/coverage*
	@FLAGPLOT_PROOFS=no $(BIN)/python -m pytest -q -n 2 --dist worksteal $(PROVING:%=--ignore=%)
	@$(BIN)/coverage run -m pytest -q -n 2 --dist worksteal $(PROVING)
	@$(BIN)/coverage combine -q
	@$(BIN)/coverage report --fail-under=100 \
		--include='src/flagplot/core/*,src/flagplot/tables/*,src/flagplot/rules/*'
	@$(BIN)/python tools/rulebook.py --check

test-long: $(STAMP) for-tests ## the long campaigns; SCALE=2 makes those of storage twice as long
	@$(BIN)/python -m pytest -q -n 2 -m long

bench: $(STAMP) ## measure speed
	@$(BIN)/python -m bench
	@$(BIN)/python -m bench.load

rulebook: $(STAMP) ## run the tests and write docs/rulebook.md anew
	@$(BIN)/python tools/glossary.py
	@$(BIN)/python tools/cases.py
	@$(BIN)/python tools/editions.py
	@$(BIN)/python -m pytest -q -n 2 $(PROVING)
	@$(BIN)/python tools/rulebook.py

clean: ## remove .venv, caches and build output
	@rm -rf $(VENV) build dist htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
