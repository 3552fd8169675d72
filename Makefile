# tenet: see README.md. Every target works on a machine with Go, git, bash and make.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION)
TOOL    := $(GO) tool -modfile=.ci/tools/go.mod

# Linux and macOS on both architectures; Windows is not supported yet.
TARGETS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64

# How long each fuzz target runs; how many cases each random test of `make long` tries,
# and how often its kill loops run.
FUZZTIME ?= 20s
CHECKS   ?= 10000
KILLS    ?= 10

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

.PHONY: run
run: build ## watch the demo: an agent fixes a small project under the gate
	@bin/tenet demo

.PHONY: build
build: ## build bin/tenet for this machine
	@echo "building bin/tenet (the first time takes a minute or two)"
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/tenet .

.PHONY: build-all
build-all: ## build the four release binaries into dist/
	@for t in $(TARGETS); do \
	  out=dist/tenet-$${t%/*}-$${t#*/}; echo "$$out"; \
	  CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o $$out . || exit 1; \
	done

.PHONY: test
test: lint cassettes ## gofmt, go vet, staticcheck, exhaustive, then every test
	$(GO) test -timeout 30m ./...

.PHONY: cassettes
cassettes: ## fetch the recorded provider streams, which are test data in a module of their own
	@$(GO) -C testdata/cassettes mod download

.PHONY: check
check: test ## what CI runs

.PHONY: lint
lint: ## gofmt, go vet, staticcheck, exhaustive (our enums are closed; those of others may grow)
	@bad=$$("$$($(GO) env GOROOT)/bin/gofmt" -l $$(find . -name '*.go' -not -path './.*')); \
	  if [ -n "$$bad" ]; then echo "gofmt these files:"; echo "$$bad"; exit 1; fi
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	$(TOOL) exhaustive -typeonly '^tenet/' ./...

.PHONY: laws
laws: ## run everything that holds the laws, and print what was seen of each
	$(GO) run . laws check
	@f=$$(mktemp) && trap 'rm -f '$$f EXIT && \
	  TENET_REPORT=$$f $(GO) test -count=1 ./laws/... ./models/... ./bridge/... && echo && cat $$f

.PHONY: mutants
mutants: ## run the named mutants and print what caught each
	$(GO) run ./bridge/engine/mutate/cmd

.PHONY: golden
golden: ## rewrite laws/pins.tsv, BITES.md and TRACE.md from what the code shows
	UPDATE=1 $(GO) test -count=1 ./bridge -run '^(TestPins|TestBites|TestTrace)$$'

.PHONY: picture
picture: ## draw docs/session.svg and docs/interface.svg from runs of the program
	UPDATE=1 $(GO) test -count=1 ./bridge -run '^(TestPicture|TestStories/demo)$$'
	UPDATE=1 $(GO) test -count=1 ./tui -run '^TestPictures$$'

# Where the trees, files and peers of the figures are laid out: five gigabytes, kept.
BENCHDIR ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tenet-bench

.PHONY: bench-corpus
bench-corpus: ## lay out in BENCHDIR what the figures of search run on (needs npm)
	$(GO) run ./bridge/perf/corpus $(BENCHDIR)

.PHONY: bench
bench: bench-corpus ## run the benchmarks one after the other and write docs/performance.md (wants an idle machine)
	PATH="$(BENCHDIR)/tools/node_modules/.bin:$$PATH" TENET_BENCH_DIR=$(BENCHDIR) \
	  $(GO) test -p 1 -timeout 3h -run '^$$' -bench . -benchmem ./... | $(GO) run ./bridge/perf

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME each
	@.ci/fuzz $(FUZZTIME)

.PHONY: long
long: ## the random tests with CHECKS cases each, then the kill loops KILLS times over
	RAPID_CHECKS=$(CHECKS) $(GO) test -count=1 -timeout 2h ./...
	$(GO) test -count=$(KILLS) -timeout 2h -run Kill ./...

.PHONY: differential
differential: ## run what is judged to read only in bash under strace (Linux; wants bubblewrap and strace)
	$(GO) test -count=1 -tags differential -timeout 60m -run '^TestDifferential$$' -v ./bridge

.PHONY: e2e
e2e: ## install Claude Code and Codex and show that the guard blocks in both (needs npm, a gigabyte)
	$(GO) test -count=1 -tags e2e -run '^TestEndToEnd' -timeout 60m -v ./adapters/agenthook

.PHONY: clean
clean: ## remove what the other targets built
	rm -rf bin dist
