package rules

import (
	"strings"
	"sync"
)

// arity is how many leading words of a command say what it is for (seed 4 §3.3), by
// the words it begins with; the longest beginning counts. A number of 0 takes a
// program's grant away from what it runs for others: no pattern says what that does.
// A program that is not here is allowed by its exact words only.
var arity = sync.OnceValue(func() map[string]int { return arities(arityTable) })

const arityTable = `
	1 ls cat head tail wc stat du df tree mkdir touch
	1 pytest tox nox black mypy flake8 isort pylint pyright rspec phpunit
	1 eslint prettier tsc jest vitest mocha stylelint webpack rollup esbuild
	1 gofmt goimports staticcheck shellcheck shfmt hadolint yamllint markdownlint
	2 git go cargo rustup npm pnpm yarn npx pnpx bunx make just task pip pip3 pipx poetry uv pdm hatch
	2 ruff pre-commit alembic
	2 bundle rake rails gem mix stack cabal sbt mvn gradle ./mvnw ./gradlew bazel bazelisk dotnet swift flutter dart zig composer
	2 docker docker-compose podman kubectl helm terraform tofu pulumi brew turbo nx lerna playwright next vite golangci-lint buf
	3 gh glab aws gcloud az
	git: 3 config remote stash submodule worktree bisect notes reflog lfs
	go: 3 mod tool work
	go: 0 run
	cargo: 3 nextest
	npm: 3 run run-script exec x pkg config
	pnpm: 3 run exec dlx
	pnpm: 0 node
	yarn: 3 run exec dlx
	yarn: 4 workspace
	yarn: 0 node
	bun: 2 test install add
	bun: 3 run x
	deno: 2 test lint fmt check
	deno: 3 task
	pipx: 3 run
	poetry: 3 run
	uv: 3 run pip tool
	pdm: 3 run
	hatch: 3 run
	bundle: 3 exec
	docker: 3 compose image container volume network buildx builder system
	docker: 0 run exec
	docker compose: 0 run exec
	docker container: 0 run exec
	docker-compose: 0 run exec
	podman: 0 run exec
	kubectl: 0 run exec debug attach cp
	terraform: 3 state workspace
	tofu: 3 state workspace
	gh: 2 status
	gh: 0 api alias extension
	aws: 0 ssm
`

// maxArity is the greatest number in the table.
const maxArity = 4

// arities reads the table: a number and words, each a beginning of its own or, behind
// a colon, one that follows others.
func arities(table string) map[string]int {
	out := map[string]int{}
	for line := range strings.Lines(table) {
		before, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			before, rest = "", before
		} else {
			before += " "
		}
		fields := strings.Fields(rest)
		for i, f := range fields {
			if i > 0 {
				out[before+f] = int(fields[0][0] - '0')
			}
		}
	}
	return out
}

// runsOthers are the beginnings whose last word is a program of its own: what holds
// for that program alone holds for it here.
var runsOthers = strings.Fields("npm_exec npm_x pnpm_exec pnpm_dlx yarn_exec yarn_dlx bun_x pipx_run poetry_run uv_run pdm_run hatch_run bundle_exec npx pnpx bunx")
