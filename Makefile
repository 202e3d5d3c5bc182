# What a newcomer needs: make demo, make test, make test-e2e. Everything goes into .venv of this folder.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo test test-e2e lint generate bench clean

demo: $(VENV)/demo.stamp
	@$(BIN)/sakaime demo

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n auto

test-e2e: $(VENV)/e2e.stamp
	$(BIN)/python -m pytest -m e2e -v

lint: $(VENV)/lint.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

generate: $(VENV)/demo.stamp
	$(BIN)/python docs/generate.py

bench: $(VENV)/bench.stamp
	@code=0; for name in staged diff tree criteria lsp; do $(BIN)/python benchmarks/$$name.py || code=1; echo; done; exit $$code

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "sakaime needs Python 3.10 or later; name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "This Python cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@$(PIP) install --upgrade pip

$(VENV)/demo.stamp: $(BIN)/python pyproject.toml
	@$(PIP) install -e .
	@touch $@

$(VENV)/test.stamp: $(VENV)/demo.stamp
	@$(PIP) install -e '.[all]' --group test
	@touch $@

$(VENV)/lint.stamp: $(VENV)/test.stamp
	@$(PIP) install --group lint
	@touch $@

$(VENV)/e2e.stamp: $(VENV)/test.stamp
	@$(PIP) install --group e2e
	@touch $@

$(VENV)/bench.stamp: $(VENV)/test.stamp
	@$(PIP) install --group bench
	@touch $@

clean:
	rm -rf $(VENV) .e2e build dist
