# Everything here works from a fresh clone: each target sets up the environment it needs, once.
#   make run     the app in the browser        make test    all checks        make help    the rest

VENV  := .venv
PEERS := .venv-peers
BIN   := $(VENV)/bin
PEER_PACKAGES := riichienv==0.4.11 mjai==0.2.1
TYPESCRIPT := 5.9.3
PRETTIER := 3.6.2

SCRIPTS := "src/janshi/web/static/js/**/*.js" "src/janshi/web/static/style/*.css" "tests/web/*.js"

# Arguments for the program behind a target, for example: make watch ARGS="--seed 7 --closed"
ARGS ?=

# Arguments for the conversions of `make conformance`, for example: CONVERSIONS="--games 100"
CONVERSIONS ?=

# Processes that tests run on; a file's tests stay together. Some wait for servers and browsers, so three keep two cores busy.
JOBS ?= 3

# Tests, with compiled test files and modules kept from run to run whatever the environment says: without them every
# process reads the source of all tests again, which takes three times as long.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest

# Style, types and import layers; the first that fails ends it. Not a recursive make: `make -n test` only prints.
LINT = { step() { "$$@" || { echo "failed: $$*"; exit 1; }; }; step $(BIN)/ruff check .; \
	if [ -e .node/.tools ]; then step .node/node_modules/.bin/prettier --log-level warn --check $(SCRIPTS); fi; \
	step $(BIN)/mypy; step $(BIN)/lint-imports --no-cache; }

# Tests, given as $(1), with the linters beside them. What those say comes at the end: their last lines if one failed.
define with_lint
	@said=$$(mktemp); trap 'rm -f "$$said"' EXIT; $(LINT) >"$$said" 2>&1 & linting=$$!; \
	$(1); tests=$$?; \
	if wait $$linting; then lint=0; tail -n 3 "$$said"; else lint=1; echo "== style, types or import layers"; tail -n 40 "$$said"; fi; \
	if [ $$tests -ne 0 ]; then echo "failed: tests (see above)"; fi; \
	[ $$tests -eq 0 ] && [ $$lint -eq 0 ]
endef

# What `make check` runs: golden playthroughs and counts of every rule set, and each layer's most telling tests.
TELLING := $(addprefix tests/,core/test_shanten_kernels.py core/test_tiles.py rules/test_check.py \
	rules/riichi/test_golden.py rules/riichi/test_points.py rules/riichi/test_furiten.py rules/riichi/test_scenario.py \
	rules/guobiao/test_gb_golden.py rules/guobiao/test_gb_priority.py rules/simplified/test_simplified_golden.py \
	records/test_mjlog.py records/test_tenhou6.py records/test_mjai.py agents/test_basic_agents.py arena/test_plan.py \
	arena/test_stats_intervals.py protocols/test_mjai_client.py web/test_security.py test_house.py test_strict.py)

# Tests that try a sample of random cases, and many more in `make fuzz`.
RANDOM := $(addprefix tests/,crosscheck rules/riichi/test_reference.py records/test_reader_fuzz.py \
	records/test_reader_fuzz_json.py records/test_botzone_fuzz.py records/test_majsoul.py records/test_majiang_log.py \
	records/test_replay.py agents/test_check_agent.py agents/test_search_simplified.py arena/test_killed.py \
	features/test_planes.py learn/test_luckless.py luck/test_chance.py protocols/test_botzone_tracker.py \
	protocols/test_mjai_views.py selfplay/test_riichi_returns.py selfplay/test_values.py web/test_schema.py)

# The first Python that starts and is new enough. Say PYTHON=/path/to/python3 to choose another.
PYTHON ?= $(shell for p in python3.12 python3.11 python3 python3.13 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$p" && break; done)

.DEFAULT_GOAL := help
.PHONY: help run watch test check lint format docs dist bench peers majiang javascript fuzz conformance botzone tables clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  ARGS="…" hands arguments on, for example: make watch ARGS="--seed 7 --closed"'

run: $(VENV)/.play  ## play, watch and review in the browser: starts the app and prints its address
	@$(BIN)/janshi web $(ARGS)

watch: $(VENV)/.play  ## watch four built-in players play a riichi game in the terminal
	@$(BIN)/janshi watch $(ARGS)

test: $(VENV)/.dev  ## style, types, import layers and all tests, on three processes (JOBS=1 for one)
	@$(BIN)/python tests/warm.py
	$(call with_lint,$(PYTEST) -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS))

check: $(VENV)/.dev  ## style, types, import layers and the most telling tests, side by side
	$(call with_lint,$(PYTEST) $(TELLING) $(ARGS))

lint: $(VENV)/.dev  ## style (ruff), types (mypy, strict), import layers (import-linter)
	@$(LINT)

format: $(VENV)/.dev  ## lay out the source with ruff, and the page's scripts with Prettier where `make javascript` was run
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	@if [ -e .node/.tools ]; then .node/node_modules/.bin/prettier --log-level warn --write $(SCRIPTS); fi

docs: $(VENV)/.dev  ## build the documentation into site/ (a broken link is an error)
	$(BIN)/python scripts/write_rules_table.py
	$(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html"

dist: $(VENV)/.dev  ## build a wheel and an sdist into dist/
	@rm -rf build dist
	$(BIN)/python -m build --no-isolation --outdir dist .

bench: $(VENV)/.dev peers  ## run every benchmark beside its peers (ARGS="--quick", ARGS="--json")
	@set -e; for script in benchmarks/[a-z]*.py; do echo "== $$script" >&2; $(BIN)/python "$$script" $(ARGS); done

peers: $(PEERS)/.peers  ## an environment of their own for the engines we compare with

majiang: $(VENV)/.play  ## install kobalab's majiang-ai, a player to measure against (needs Node and npm)
	@$(BIN)/python -m janshi.protocols.majiang

javascript: .node/.tools  ## install TypeScript and Prettier, which check the page's scripts in `make test` (needs Node and npm)

fuzz: $(VENV)/.dev  ## ten million random decisions, every invariant checked after each hand, then random tests at length
	$(BIN)/python scripts/fuzz.py $(ARGS)
	JANSHI_LONG=1 $(PYTEST) -n $(JOBS) --dist loadfile $(RANDOM)

conformance: $(VENV)/.dev  ## replay and convert every game of ../shared/records; writes docs/conformance.md and conversions.md
	$(BIN)/python scripts/conformance.py $(ARGS)
	$(BIN)/python scripts/conversions.py $(CONVERSIONS)

botzone: $(VENV)/.dev  ## play over Botzone's protocol and write the figures into docs/botzone.md
	$(BIN)/python scripts/botzone_games.py --page $(ARGS)

tables: $(VENV)/.dev  ## rebuild the shanten tables that ship with the package
	$(BIN)/python scripts/build_tables.py $(ARGS)

clean:  ## remove environments, caches and built files
	rm -rf $(VENV) $(PEERS) .node site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Janshi needs Python 3.11 or newer; none was found. \
	Install one, or say: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml | $(BIN)/python
	@echo "Installing Janshi (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[web]"
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "Installing Janshi and its development tools (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@ $(VENV)/.play

# A tool of the checks, never of the app: the page's scripts run as they are.
.node/.tools: Makefile
	@command -v npm >/dev/null || { echo "npm was not found: it comes with Node" >&2; exit 1; }
	@npm install --silent --no-audit --no-fund --prefix .node typescript@$(TYPESCRIPT) prettier@$(PRETTIER)
	@touch $@

# mjai pins an old release of the `mahjong` library, so peers never share our environment.
$(PEERS)/.peers: Makefile | $(BIN)/python
	@echo "Installing the peers for side-by-side figures (once)"
	@$(BIN)/python -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check $(PEER_PACKAGES)
	@touch $@
