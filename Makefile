# `make run` serves Plumbline, `make test` checks it; both do their own set-up on a fresh machine,
# from the lock files: every package in one version, its download compared with a hash.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN = $(VENV)/bin
PORT ?= 8501
# Two more than the two cores of a small machine: a test in a browser waits half of its time.
WORKERS ?= 4
# Files in the order of the folders: browsers come early, so that no long file is left to one worker.
SHARE = --dist loadfile --no-loadscope-reorder
# What failed gets one more try alone: a browser beside two others on a busy machine may be late.
# A second failure counts, and both are in the output. A run that broke off (any status but 1) has
# no list of what failed, so it is not tried again.
AGAIN = [ $$? -eq 1 ] && $(BIN)/python -m pytest --last-failed --last-failed-no-failures none
# The store has to work on the next engine as well; only duckdb itself is laid over for that run.
NEXT_DUCKDB = 2.0.0
NEXT = $(VENV)/duckdb-$(NEXT_DUCKDB)
# The libraries that one benchmark is measured against, laid over for that run: not of the product.
PEERS = $(VENV)/peers
# Not `uv pip sync`: it would remove what only `make test` needs, and login packages added by hand.
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --quiet --universal \
	--generate-hashes --python-version 3.11 $(UPGRADE)
# Where SQL meets the engine; what only counts its answers is the same on both.
ON_BOTH = $(addprefix tests/data/,store/test_migrating.py store/test_store.py runs/test_queries.py \
	items/test_records.py importing/test_save.py) tests/attacks/test_engine_escapes.py
# Answers that lean on those, and the faults, which take longest: before a release.
ON_BOTH_LATER = $(addprefix tests/data/,agreement api/test_health.py compare contradictions distributions exporting \
	items judging meetings rating runs/test_neighbors.py store triage) \
	$(addprefix tests/faults/test_,$(addsuffix .py,damage drills import_kills io_errors kills \
	meeting_damage people_at_once people_full_disk people_kills))

# Tests start hundreds of processes: where compiled files may not be kept, each compiles it all anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check unit next-engine soak browser bench screenshots lock clean

run: $(VENV)/run.done
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: check unit next-engine

check: $(VENV)/dev.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check --no-cache .
	$(BIN)/mypy
	PYTHONPATH=. $(BIN)/lint-imports --no-cache

unit: $(VENV)/dev.done browser
	$(BIN)/python -m pytest -n $(WORKERS) $(SHARE) || { $(AGAIN); }

next-engine: $(NEXT)/duckdb
	export PYTHONPATH=$(NEXT); \
		$(BIN)/python -m pytest -n $(WORKERS) $(SHARE) $(ON_BOTH) || { $(AGAIN); }

# What takes too long for every run: bursts, kills, attacks, accessibility of every view, dark.
soak: $(VENV)/dev.done browser $(NEXT)/duckdb
	$(BIN)/python -m pytest -n $(WORKERS) $(SHARE) -m soak || { $(AGAIN) -m soak; }
	export PYTHONPATH=$(NEXT); \
		$(BIN)/python -m pytest -n $(WORKERS) $(SHARE) $(ON_BOTH_LATER) || { $(AGAIN); }

browser: $(VENV)/dev.done
	sh tests/browser/get_chromium.sh $(BIN)/python

# Every claim beside its limit or peer; writes docs/benchmarks.md. `BENCH=home_page` runs that alone.
bench: $(VENV)/dev.done browser $(PEERS)/done
	PYTHONPATH=$(abspath $(PEERS)) $(BIN)/python -m benchmarks.table $(BENCH)

screenshots: $(VENV)/dev.done browser
	$(BIN)/python docs/take_screenshots.py

$(VENV)/bin/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.7

$(VENV)/run.done: requirements.lock $(VENV)/bin/uv
	$(INSTALL) -r requirements.lock
	touch $@

$(VENV)/dev.done: requirements-dev.lock $(VENV)/bin/uv
	$(INSTALL) -r requirements-dev.lock
	touch $@ $(VENV)/run.done

# Resolve requirements*.txt to lock files. Versions in a lock file stay unless a requirement changes;
# `make lock UPGRADE=--upgrade` takes the newest of everything that is not pinned.
lock: $(VENV)/bin/uv
	$(COMPILE) requirements.txt -o requirements.lock
	$(COMPILE) requirements-login.txt -c requirements.lock -o requirements-login.lock
	$(COMPILE) requirements-dev.txt -c requirements-login.lock -o requirements-dev.lock

$(NEXT)/duckdb: $(VENV)/dev.done
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --target $(NEXT) duckdb==$(NEXT_DUCKDB)

$(PEERS)/done: benchmarks/requirements.txt $(VENV)/dev.done
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --target $(PEERS) -r benchmarks/requirements.txt
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
