# The two commands a newcomer needs are `make demo` and `make test`. Each does its own set-up.
.PHONY: demo demo-model test test-together test-alone lint types bench calibrate-verdict calibrate-choice calibrate-requests oracle pictures clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

demo: $(STAMP)
	$(BIN)/scrapewright demo --headless

# The same with a model's programs and reviews, played from a cassette: no key is needed.
demo-model: $(STAMP)
	$(BIN)/scrapewright demo --headless --cassette scrapewright/practice/replies.json

test: test-together test-alone

# Bytecode is kept whatever the environment says: hundreds of tests start a command, which would compile it all anew.
# Four processes on two processors: those that start commands wait for them half of the time.
test-together: $(STAMP)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 4 --dist worksteal --ignore=tests/pilot/test_heavy.py $(PYTEST_ARGS)

# These bound what one callback takes of the processor: in a process that other tests have not filled.
test-alone: $(STAMP)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 0 tests/pilot/test_heavy.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m tests.bench $(ARGS)

# Runs the saved-site corpus beside the checkout (20 minutes on 2 cores) and fits the verdict's weights on it.
CASES ?= .cases
calibrate-verdict: $(STAMP)
	$(BIN)/python -m tests.calibrate.collect $(CASES)
	$(BIN)/python -m tests.calibrate $(CASES)

# Collects the places of columns and the groups of pages of the same corpus, twice (each over half an hour on one core),
# and fits the weights of the choices among them; what is measured of the groups rests on the places' weights.
CHOICES ?= .choices.npz
calibrate-choice: $(STAMP)
	$(BIN)/python -m tests.choices.collect $(CHOICES)
	$(BIN)/python -m tests.choices.fit $(CHOICES) places --write
	$(BIN)/python -m tests.choices.collect $(CHOICES)
	$(BIN)/python -m tests.choices.fit $(CHOICES) groups --write

# Fits the weights by which requests are read: their lists of columns, and what the rest says (a minute).
calibrate-requests: $(STAMP)
	$(BIN)/python -m tests.requests.fit --write

# What the survey's proposals reach on the saved sites, the best of them chosen by the expected rows (5 minutes).
oracle: $(STAMP)
	$(BIN)/python -m tests.oracle $(ARGS)

pictures: $(STAMP)
	$(BIN)/python -m tests.readme.pictures

$(STAMP): pyproject.toml constraints.txt
	@if command -v uv >/dev/null 2>&1; then \
	  test -x $(BIN)/python || uv venv -q --seed --python $(PYTHON) $(VENV); \
	  uv pip install -q --python $(BIN)/python -c constraints.txt --group dev -e .; \
	else \
	  test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); \
	  $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt "pip>=25.1"; \
	  $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt --group dev -e .; \
	fi
	@touch $@

clean:
	rm -rf $(VENV) $(CASES) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
