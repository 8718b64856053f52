# `make demo` and `make test` need nothing but python3 and make: they create .venv and install what they use.
PYTHON ?= python3
BIN := .venv/bin

# uv installs in seconds what takes pip minutes; it does not read pip's find-links, so they are passed on to it.
LINKS = $${PIP_FIND_LINKS:-$$($(BIN)/python -m pip config get global.find-links 2>/dev/null)}
INSTALL = UV_FIND_LINKS="$$(echo $(LINKS) | tr ' ' ',')" \
	$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable

.PHONY: setup demo test check clean

setup: .venv/dev

.venv/core: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet uv
	$(INSTALL) .
	touch $@

.venv/report: .venv/core
	$(INSTALL) '.[report]'
	touch $@

.venv/dev: .venv/core
	$(INSTALL) '.[dev]'
	touch $@

demo: .venv/report
	$(BIN)/evenrank demo --out demo

test: setup
	$(BIN)/python -m pytest --numprocesses=auto

# Compiled kernels are removed first: numba does not notice a change in a function that another file's function calls.
check: setup
	find src -name '*.nb[ic]' -delete
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(MAKE) test

clean:
	rm -rf .venv demo
