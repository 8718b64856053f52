# `make demo` and `make test` need nothing but python3 and make: they create .venv and install what they use.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test check clean

setup: .venv/ready

# uv installs in seconds what takes pip minutes; it is given pip's own find-links, which it does not read itself.
.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet uv
	UV_FIND_LINKS="$$($(BIN)/python -m pip config get global.find-links 2>/dev/null | tr '\n ' ',,' | sed 's/,*$$//')" \
	  $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '.[dev]'
	touch $@

demo: setup
	$(BIN)/evenrank demo --out demo

test: setup
	$(BIN)/python -m pytest --numprocesses=auto

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(MAKE) test

clean:
	rm -rf .venv demo
