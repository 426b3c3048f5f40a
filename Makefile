.DEFAULT_GOAL := help
.PHONY: help run test faults soak fuzz lint types format migrations lock audit licences clean packages
PYTHON ?= python3
IN := .venv/bin
STARTED := $(shell date +%s)
# Code is compiled once and not by each of the many processes, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name text; do printf '%-18s %s\n' "$$name" "$$text"; done
	@echo "PORT (8000) and DATA_DIR choose where \`make run\` serves and keeps its data; PYTHON chooses the interpreter."

run: packages  ## start the service with private servers, do the main job once, go on serving
	@STARTED=$(STARTED) exec $(IN)/python -m config.local.run

test: packages  ## every check and every test, on private servers
	@FAULT_TIMES=$${FAULT_TIMES:-5} FAULT_PAUSE=$${FAULT_PAUSE:-5} exec $(IN)/python -m config.local.checks -n 3 --dist worksteal

faults: packages  ## every fault five times under four times the load, on real processes: takes minutes
	@FAULT_PROGRESS=/dev/stderr exec $(IN)/python -m pytest -s tests/faults -m faults

soak: packages  ## every fault a hundred times, on real processes: takes hours
	@FAULT_TIMES=$${FAULT_TIMES:-100} FAULT_START=cold FAULT_PROGRESS=/dev/stderr exec $(IN)/python -m pytest -s tests/faults -m faults

fuzz: packages  ## the API at length, as its owner and as a rival: takes an hour
	@FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-1500} exec $(IN)/python -m pytest tests/security/test_fuzz.py -s

lint: packages  ## formatting, lint and the import contract
	@$(IN)/ruff format --check . && $(IN)/ruff check . && $(IN)/lint-imports

types: packages  ## mypy
	@exec $(IN)/mypy .

format: packages  ## rewrite the formatting
	@$(IN)/ruff format . && $(IN)/ruff check --fix .

migrations: packages  ## write the migrations that the models ask for
	@exec $(IN)/python manage.py makemigrations

lock: packages  ## pin the newest allowed versions, with hashes
	@exec $(IN)/python -m config.local.lock

audit: packages  ## known vulnerabilities in the locked versions
	@exec $(IN)/python -m config.local.audit

licences: packages  ## write docs/licences.md: the licence of every package in production
	@exec $(IN)/python -m config.local.licences

clean: packages  ## forget the data of `make run` and of the tests
	@exec $(IN)/python -m config.local.clean

packages:  ## make .venv from the locks, if they changed
	@$(PYTHON) config/local/bootstrap.py
