package guard_test

import (
	"testing"

	"tenet/core/guard"
)

func TestGitThatThrowsWorkAway(t *testing.T) {
	holds(t, policy(), guard.Destructive, `
git reset --hard
git reset --hard HEAD~3
git reset --har HEAD
git reset -q --hard
git reset --merge
/usr/bin/git reset --hard
git.exe reset --hard
C:/Git/bin/git.exe reset --hard
GIT reset --hard
git -C sub reset --hard
git --no-pager reset --hard
git --git-dir=x reset --hard
git --git-dir x --work-tree y reset --hard
git -c user.name=x reset --hard
git -c alias.z=reset␣--hard z
git -c alias.z=!git␣reset␣--hard z
git reset --hard…
git clean -f
git clean -fd
git clean -xdf
git clean -d -f
git clean --force
git clean --forc -d
git clean -e x -f
git -c clean.requireForce=false clean -d
git checkout .
git checkout -- .
git checkout -- main.go
git checkout HEAD -- main.go
git checkout HEAD~1 main.go
git checkout main.go
git checkout ./x
git checkout src/
git checkout :/
git checkout *.go
git checkout -f
git checkout -f main
git checkout --force main
git checkout -qf main
git checkout --pathspec-from-file=x
git checkout --ours .
git restore .
git restore main.go
git restore --source=HEAD~1 main.go
git restore -s HEAD~1 -SW main.go
git restore --staged --worktree .
git restore --pathspec-from-file x
git switch -f main
git switch --force main
git switch --discard-changes main
git switch --discard main
git stash drop
git stash drop stash@{0}
git stash clear
git branch -D topic
git branch -d -f topic
git branch -df topic
git branch --delete --force topic
git branch --list -D topic
git reflog expire --expire=now --all
git reflog delete HEAD@{1}
git filter-branch --tree-filter x HEAD
git filter-repo --path x
git gc --prune=now
git gc --prun=all --aggressive
git -c gc.pruneExpire=now gc
git prune
git prune --expire=now
git push --force
git push -f origin main
git push -uf origin main
git push --force origin topic
git push origin +main
git push --mirror
git push --delete origin topic
git push -d origin topic
git push origin :topic
git push --force --force-with-lease
git push --prune origin
git update-ref -d refs/heads/x
git worktree remove --force ../x
git worktree remove -f ../x
git rm -f x
git rm -rf .
git checkout-index -f -a
git read-tree --reset -u HEAD
git submodule deinit -f x
git submodule update --force
`, `
git
git --version
git status
git checkout main
git checkout -b topic
git checkout -b topic origin/main
git checkout -B topic origin/main
git checkout -t origin/topic
git checkout --orphan x
git checkout -
git checkout HEAD~1
git checkout v1.2.3
git checkout release-1.x
git checkout --ours main.go
git checkout --theirs -- main.go
git checkout -p -- main.go
git checkout main --
git reset
git reset HEAD~1
git reset --soft HEAD~1
git reset --mixed HEAD~1
git reset --keep HEAD~1
git reset HEAD main.go
git reset -- main.go
git clean
git clean -n
git clean -nfd
git clean --dry-run -f
git clean -i
git restore --staged main.go
git restore -S main.go
git restore -p
git switch main
git switch -c topic
git switch -C topic
git stash
git stash push -m drop
git stash -m drop
git stash pop
git stash apply
git stash list
git branch
git branch -d topic
git branch topic
git branch -m old new
git branch --delete topic
git reflog
git reflog show
git reflog expire --dry-run --all
git filter-repo --analyze
git gc
git gc --prune=2.weeks.ago
git gc --aggressive
git prune -n
git prune --expire=2.weeks.ago
git push
git push origin main
git push -u origin main
git push --force-with-lease origin topic
git push --force-with-lease --force-if-includes
git push --tags
git push --follow-tags
git push -n -f
git push --dry-run --force
git push -o f origin
git push origin HEAD:refs/for/main
git update-ref refs/heads/x HEAD
git worktree remove ../x
git worktree add ../x
git worktree prune
git rm x
git rm -r --cached x
git rebase main
git rebase --abort
git merge --abort
git commit --amend
git commit -m reset␣--hard
git log --grep=--hard
git grep -- --force
git config core.autocrlf
git revert HEAD
git cherry-pick x
git tag -d v1
git -C /tmp/clone reset --hard
@/tmp/clone git checkout .
@/tmp/clone git clean -fdx
git … --hard
echo git reset --hard
grep -rn reset␣--hard .
`)
}

// A repository in a temporary directory is nobody's loss, but what is pushed from
// there is, and a workspace there is no scratch space.
func TestScratchRepositories(t *testing.T) {
	holds(t, policy(), guard.Destructive, `
@/tmp/clone git push --force
@/tmp/clone git -C ~/other reset --hard
@/tmp/clone git --work-tree=/home/u/proj reset --hard
@/tmp git -C .. reset --hard
`, `
@/tmp/a/b git -C .. reset --hard
`)
	p := policy()
	p.Root = "/tmp/work"
	holds(t, p, guard.Destructive, `
@/tmp/work git reset --hard
@/tmp/work/sub git reset --hard
`, `
@/tmp/other git reset --hard
`)
}
