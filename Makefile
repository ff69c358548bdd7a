# Two commands do everything: `make run` and `make test`; `make quick` while working. README.md names the steps for a machine without make.

PYTHON ?= python3
VENV   := .venv
PEERS  := .venv-peers
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

export PIP_DISABLE_PIP_VERSION_CHECK = 1
# pip would compile every file of every package; Python compiles those it imports, and keeps that.
INSTALL = $(BIN)/python -m pip install --quiet --no-compile
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check quick coverage bench bench-sync bench-identify bench-peers fuzz mutate all-ways checked index pictures lock clean

run: $(VENV)/.run-ready            ## install and start, connected to the embedded simulator
	$(BIN)/python -m app.native
	$(BIN)/lapwing

test: $(VENV)/.dev-ready           ## everything CI runs
	$(BIN)/python -m app.native
	$(MAKE) check

# The import directions and mypy work on one core and say little: they run beside the tests and are
# shown after them.
# One more worker than cores, because some tests wait for processes that fly in real time.
check:                             ## style, import directions, tests, types, speed; needs `make test` once
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@types=$$(mktemp); ( $(BIN)/lint-imports; linted=$$?; $(BIN)/mypy && exit $$linted ) > "$$types" 2>&1 & mypy=$$!; \
	$(BIN)/python -m pytest --numprocesses $$(($$($(BIN)/python -c 'import os; print(os.cpu_count())') + 1)) \
	  --dist worksteal; tested=$$?; \
	wait $$mypy; typed=$$?; echo "$(BIN)/lint-imports; $(BIN)/mypy"; cat "$$types"; rm -f "$$types"; \
	$(BIN)/python -m benchmarks.gate; fast=$$?; \
	exit $$((tested | typed | fast))

quick: $(VENV)/.dev-ready          ## style, and all tests but those marked slow: a minute or so
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m "not slow"

coverage: $(VENV)/.dev-ready       ## which lines the tests run
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --cov --cov-report=term

bench: $(VENV)/.dev-ready          ## speed and memory, measured against the bars
	$(BIN)/python -m benchmarks

bench-sync: $(VENV)/.dev-ready     ## automatic synchronisation against 24 filmed flights; keeps what is done
	$(BIN)/python -m benchmarks.sync

bench-identify: $(VENV)/.dev-ready ## an hour: what is found in logs of flights whose truth is known
	$(BIN)/python -m benchmarks.identification wind
	$(BIN)/python -m benchmarks.identification aircraft

bench-peers: $(VENV)/.dev-ready $(PEERS)/.ready  ## other simulators beside ours, in an environment of their own
	$(BIN)/python -m benchmarks.peers $(PEERS)/$(notdir $(BIN))/python

fuzz: $(VENV)/.dev-ready           ## hours: a hundred thousand damaged inputs for each parser, a million for frames and metadata; 20,000 random programs
	$(BIN)/python -m tests.fuzz

mutate: $(VENV)/.dev-ready         ## an hour: whether the tests notice 300 small changes of the product
	$(BIN)/python -m tests.mutation

all-ways: $(VENV)/.dev-ready       ## tests with all rows of which they take a sample otherwise, flights at full length
	LAPWING_ALL_WAYS=1 $(BIN)/python -m pytest --numprocesses auto --dist worksteal

checked: $(VENV)/.dev-ready        ## every shipped scenario, with the indices of the simulator's programs checked: a minute
	LAPWING_CHECKED_CODE=1 $(BIN)/python -m pytest --numprocesses auto --dist worksteal tests/simulation/scenarios/test_shipped.py -k passes

index: $(VENV)/.run-ready          ## renew the ids of the shipped definitions, after one was added or changed
	$(BIN)/python -m telemetry.protocol.objects.make_index

pictures: $(VENV)/.dev-ready       ## the pictures of manual and README, made anew: two minutes or so
	$(BIN)/python -m tests.pictures

lock: $(VENV)/.dev-ready           ## renew the pinned versions; needs uv on the PATH
	uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes \
	  --no-strip-extras --no-emit-index-url --no-annotate --no-header --upgrade -o requirements.lock
	uv pip compile pyproject.toml --group build --group dev --extra data --extra examples --extra studies --universal --python-version 3.11 --generate-hashes \
	  --no-strip-extras --no-emit-index-url --no-annotate --no-header --upgrade -o requirements-dev.lock
	uv pip compile benchmarks/peers/requirements.in --universal --python-version 3.11 --generate-hashes \
	  --no-strip-extras --no-emit-index-url --no-annotate --no-header --upgrade -o benchmarks/peers/requirements.lock

clean:
	rm -rf $(VENV) $(PEERS) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .coverage

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Lapwing needs Python 3.11 or newer; PYTHON=python3.12 make run chooses another one.")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.run-ready: $(VENV)/.created requirements.lock pyproject.toml
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	touch $@

# Holds all that requirements.lock holds, in the same versions.
$(VENV)/.dev-ready: $(VENV)/.created requirements-dev.lock pyproject.toml
	$(INSTALL) --require-hashes -r requirements-dev.lock
	$(INSTALL) --no-deps --no-build-isolation -e .
	touch $@

$(PEERS)/.ready: benchmarks/peers/requirements.lock
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/$(notdir $(BIN))/python -m pip install --quiet --only-binary :all: --require-hashes -r $<
	touch $@
