# Bare `make` prints what there is. Nothing here needs more than Python, make and a C library.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input --quiet
RUN := $(VENV)/.run.stamp
DEV := $(VENV)/.dev.stamp
CODE := audit casino deploy pontoon tests wallets manage.py

.PHONY: help run demo test test-system check bench parsheet lock format audit-deps clean

help:  ## print this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(RUN)  ## start everything on this machine, on embedded servers; Ctrl-C stops it
	@exec $(PY) -m deploy.local

demo: $(RUN)  ## play a few rounds against the running service and show what is on record
	@exec $(PY) -m deploy.local.demo

test: $(DEV)  ## run all tests that need no system package
	@exec $(PY) -m pytest -q -n 2 --dist loadgroup

test-system: $(DEV)  ## run the tests that need one; install it, or say what is missing
	@sh tests/system/install.sh
	@exec $(PY) -m pytest -q -m system

check: $(DEV)  ## check format, lint, types, imports and that models and migrations agree
	$(PY) -m ruff format --check $(CODE)
	$(PY) -m ruff check $(CODE)
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(PY) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

bench: $(DEV)  ## measure rounds a second over HTTP, and the floor under them
	@exec $(PY) -m tests.bench

parsheet: $(DEV)  ## write the PAR sheet of house/1 to build/parsheet, signed with var/parsheet-key.pem
	@exec $(PY) -m pontoon.analysis parsheet house/1 --key "$${PARSHEET_KEY:-var/parsheet-key.pem}" --make-key

lock:  ## pin every dependency by hash, from pyproject.toml; needs uv
	@command -v uv >/dev/null || { echo "make lock needs uv: pip install uv"; exit 1; }
	uv pip compile pyproject.toml --universal --generate-hashes --no-header \
		--no-emit-index-url --quiet --output-file requirements.lock
	uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-header \
		--no-emit-index-url --quiet --constraint requirements.lock \
		--output-file tests/requirements.lock

format: $(DEV)  ## bring the code into its format, and mend what ruff can
	$(PY) -m ruff check --fix $(CODE)
	$(PY) -m ruff format $(CODE)

audit-deps: $(DEV)  ## look every locked package up among known faults; fails when it cannot
	$(PY) -m pip_audit --strict --disable-pip --require-hashes -r requirements.lock
	$(PY) -m pip_audit --strict --disable-pip --require-hashes -r tests/requirements.lock

clean:  ## remove what the tools leave behind; keeps .venv and the data in var
	rm -rf build .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find $(CODE) -name __pycache__ -type d -exec rm -rf {} +

# A lock is installed once: its stamp is newer than it. The mask lets the database's user
# read the server's files when root makes the environment under a strict one.

$(RUN): requirements.lock | $(VENV)/bin/pip
	@echo "Installing what requirements.lock pins; this takes a minute the first time."
	@umask 022 && $(PIP) install --require-hashes -r requirements.lock
	@touch $@

$(DEV): tests/requirements.lock | $(VENV)/bin/pip
	@echo "Installing what tests/requirements.lock pins; this takes a minute the first time."
	@umask 022 && $(PIP) install --require-hashes -r tests/requirements.lock
	@touch $@ $(RUN)

$(VENV)/bin/pip:
	@umask 022 && PYTHON="$(PYTHON)" sh deploy/local/make-venv.sh $(VENV)
