# `make run` serves Plumbline, `make test` checks it; both do their own set-up on a fresh machine.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN = $(VENV)/bin
PORT ?= 8501
# Twice the two cores of a small machine: a test in a browser waits more than it works.
WORKERS ?= 4
# The store has to work on the next engine as well; only duckdb itself is laid over for that run.
NEXT_DUCKDB = 2.0.0
NEXT = $(VENV)/duckdb-$(NEXT_DUCKDB)
# What counts answers of the store that other files ask on both engines, and takes minutes.
SAME_ON_BOTH = --ignore=tests/faults/test_batch_kills.py --ignore=tests/data/importers \
	--ignore=tests/data/test_reference_sets.py --ignore=tests/data/test_reference_agreement.py \
	--ignore=tests/data/test_agreement_report.py --ignore=tests/data/test_batch_orders.py \
	--ignore=tests/data/test_door.py --ignore=tests/data/test_agreement_cases.py \
	--ignore=tests/data/test_agreement_more.py --ignore=tests/data/test_agreement_sets.py

.PHONY: run test check unit next-engine soak browser bench screenshots clean

run: $(VENV)/run.done
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: check unit next-engine

check: $(VENV)/dev.done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check --no-cache .
	$(BIN)/mypy

unit: $(VENV)/dev.done browser
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

next-engine: $(NEXT)/duckdb
	PYTHONPATH=$(NEXT) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile tests/data tests/faults $(SAME_ON_BOTH)

# What takes too long for every run: bursts of keys, and checks repeated in the dark.
soak: $(VENV)/dev.done browser
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m soak

browser: $(VENV)/dev.done
	sh tests/browser/get_chromium.sh $(BIN)/python

bench: $(VENV)/dev.done
	for claim in text_speed clash_speed import_speed home_page contradictions_page reader_paint \
		agreement_speed distributions_page compare_page triage_speed rating_saves several_raters \
		interval_coverage judge_throughput offline_speed policy_speed check_speed check_quality; do \
		$(BIN)/python -m benchmarks.$$claim || exit 1; done

screenshots: $(VENV)/dev.done browser
	$(BIN)/python docs/take_screenshots.py

$(VENV)/bin/uv:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==0.13.7

$(VENV)/run.done: requirements.txt $(VENV)/bin/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements.txt
	touch $@

$(VENV)/dev.done: requirements.txt requirements-dev.txt $(VENV)/bin/uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python -r requirements-dev.txt
	touch $@ $(VENV)/run.done

$(NEXT)/duckdb: $(VENV)/dev.done
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --target $(NEXT) duckdb==$(NEXT_DUCKDB)

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
