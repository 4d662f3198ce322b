# make run        play at once, on a machine with nothing but Python 3.11   (PORT=8000)
# make test       everything: checks, all tests on private PostgreSQL and Redis, the embedded way
# make check      formatting, types, layers, templates, browser modules, migrations, settings
# make bench      the figures of docs/scaling.md, as tables   (ONLY="rules live")
# make chaos      what must hold whatever dies, hangs, lies or floods   (ONLY=bank SEED=1)
# make perft      counts of legal turns, against the known ones
# make nardy-law  legal turns of long nardy beside a second, slow telling, on 50,000 positions
# make train-nardy  trains the evaluator of long nardy; goes on where it stopped   (RULESET= GAMES= SEED= OUT=)
# make arena      how strong that evaluator is: duplicate dice against others, intervals, calibration   (RULESET=)
# make cluster    the site as in production, on private ports of this machine   (PORT=8000)
# make services   a private PostgreSQL and Redis to develop with; Ctrl-C stops them
# make messages   collects the texts to translate into locale/

.PHONY: run test check bench chaos perft nardy-law train-nardy arena cluster services messages installed venv

PORT ?= 8000
export PORT
python := .venv/bin/python

run:
	@ops/run.sh

test: installed
	@$(python) -m tests.run ops/test.sh

check: installed
	@$(python) -m tests.run env DJANGO_SETTINGS_MODULE=nardysite.settings.test ops/check.sh

bench: installed
	@$(python) -m tests.run --durable $(python) -m tests.bench $(ONLY)

chaos: installed
	@SEED=$(SEED) $(python) -m tests.chaos $(ONLY)

perft: venv
	@DJANGO_SETTINGS_MODULE=nardysite.settings.dev $(python) manage.py perft

nardy-law: venv
	@DJANGO_SETTINGS_MODULE=nardysite.settings.dev $(python) -m games.tests.compare_long_nardy

RULESET ?= long-nardy
GAMES ?= 500000
SEED ?= 1
OUT ?= var/nardy

train-nardy: venv
	@$(python) -m games.engine.nardy.training --ruleset $(RULESET) --games $(GAMES) --seed $(SEED) --out $(OUT)

arena: venv
	@$(python) -m games.engine.nardy.training.arena --ruleset $(RULESET)
	@$(python) -m games.engine.nardy.training.arena --ruleset $(RULESET) --plies 2 --against itself --pairs 600
	@$(python) -m games.engine.nardy.training.calibration --ruleset $(RULESET)

cluster: installed
	@$(python) -m tests.run.cluster $(PORT)

services: installed
	@$(python) -m tests.run --durable

messages: venv
	@DJANGO_SETTINGS_MODULE=nardysite.settings.dev $(python) manage.py makemessages --all --no-location
	@DJANGO_SETTINGS_MODULE=nardysite.settings.dev $(python) manage.py makemessages --all --no-location --domain djangojs --ignore node_modules

venv:
	@ops/venv.sh dev

installed:
	@echo "== What the machine lacks"
	@ops/install.sh
	@ops/venv.sh dev
	@ops/node.sh
