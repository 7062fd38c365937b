# Two commands do it all: `make demo` (a table at work, no board needed) and `make test`.
# Both leave a ready .venv/bin/pitkit. `make bench` measures; `make bench-long` is for soaks.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench bench-long clean
.DEFAULT_GOAL := demo

demo: .venv/.ready
	@$(BIN)/pitkit demo
	@echo "The same board against the rulebook: pitkit conform"
	@$(BIN)/pitkit conform --port sim:sic_bo@act1999 --report build/report

test: .venv/.ready-dev lint
	$(BIN)/pitkit image build --board rpi_pico
	$(BIN)/python -m pytest

lint: .venv/.ready-dev build/typings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy_firmware.ini firmware rules_min

bench: .venv/.ready-dev
	$(BIN)/python -m host_tools.bench

bench-long: .venv/.ready-dev
	$(BIN)/python -m host_tools.bench --long

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "pitkit needs Python 3.11 or later; $(PYTHON) is older (make PYTHON=python3.12 names another)."; exit 2; }
	@$(PYTHON) -m venv .venv || { echo "Python cannot make a virtual environment: install python3-venv."; exit 2; }

.venv/.ready: .venv/bin/pip pyproject.toml
	@echo "setting up .venv (once)"
	@$(BIN)/pip install --disable-pip-version-check --quiet --editable .
	@touch $@

.venv/.ready-dev: .venv/bin/pip pyproject.toml
	@echo "setting up .venv for development (once)"
	@$(BIN)/pip install --disable-pip-version-check --quiet --editable '.[dev]'
	@touch $@ .venv/.ready

# MicroPython's stubs replace the standard library's, so they live apart from the host's packages.
build/typings: pyproject.toml
	@rm -rf $@
	@$(BIN)/pip install --disable-pip-version-check --quiet --no-deps --target $@ \
	  'micropython-rp2-rpi_pico-stubs~=1.25.0' 'micropython-stdlib-stubs~=1.25.0'

clean:
	rm -rf .venv build *.egg-info
