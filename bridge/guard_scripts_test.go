package bridge

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenet/adapters/judge"
	"tenet/core/gate"
)

// guardJudge judges scripts in a fresh workspace under a home of its own, with the
// profile that asks least.
func guardJudge(t *testing.T, change func(*gate.Policy)) *judge.Judge {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, root := filepath.Join(base, "home"), filepath.Join(base, "home", "proj")
	for _, dir := range []string{filepath.Join(root, ".git", "hooks"), filepath.Join(home, ".config"), filepath.Join(root, "sub")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"HOME=" + home, "PATH=/usr/bin:/bin", "TMPDIR=" + filepath.Join(base, "tmp")}
	setup := judge.Setup{Root: root, TenetHome: filepath.Join(home, ".tenet"), Env: env, Profile: "open", Roster: []string{"bash", "read", "write", "search_replace"}}
	a, err := judge.Assemble(setup)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(a.Policy)
	}
	return judge.New(judge.Options{Root: root, TenetHome: setup.TenetHome, Env: env, Policy: a.Policy})
}

// guardRule is the guard's rule that denies a script; empty when the guard has nothing
// against it, "floor" when the floor spoke first.
func guardRule(t *testing.T, j *judge.Judge, script string) string {
	t.Helper()
	args, err := json.Marshal(map[string]string{"command": script})
	if err != nil {
		t.Fatal(err)
	}
	r := j.Judge(context.Background(), judge.Call{Tool: "bash", Args: args})
	switch {
	case r.Verdict != gate.Deny:
		return ""
	case r.Stage != gate.Guard:
		return r.Stage.String()
	}
	return r.Rule.Name
}

// What a shell makes of a script is what the guard judges: quotes, wrappers, loops and
// texts for other shells hide nothing, and a word that only looks like a command is a
// word. One script a line; ⏎ stands for a line end.
var guardScripts = map[string]string{
	"destructive": `
git reset --hard
git "reset" --hard
g\it reset --h''ard
/usr/bin/git reset --hard
sudo git reset --hard
env A=1 nohup git reset --hard
command git reset --hard
timeout 5 git reset --hard
bash -c 'git reset --hard'
sh -c "cd sub && git reset --hard"
eval git reset --hard
eval 'git reset --hard'
true && git reset --hard
if true; then git reset --hard; fi
for x in 1 2; do git clean -fdx; done
(git reset --hard)
{ git reset --hard; }
f() { git reset --hard; }; f
echo x | xargs git reset --hard
echo "$(git reset --hard)"
git status; git checkout -- .
c=git; $c reset --hard
o=--hard; git reset $o
git stash drop
cd sub && git clean -f
! git reset --hard
time git reset --hard
nice -n 5 git push -f origin x
watch git reset --hard
find . -name x -exec git reset --hard \;
bash <<< 'git reset --hard'
bash <<'E'⏎git reset --hard⏎E
rm -rf "$PWD"
rm -rf ../proj
rm -rf ../other
rm -rf ~/x
rm -rf $HOME/x
rm -rf sub/../../x
cd .. && rm -rf proj
(cd ..; rm -rf proj)
rm -rf .git
rm -fr ./*
bash -c 'rm -rf ~/x'
find . -delete
find .. -name x -delete
find ~/x -exec rm -rf {} +
find . -exec rm {} \;
dd if=/dev/zero of=$HOME/x
shred sub/x
crontab -r
docker system prune -af --volumes
kubectl delete ns x
terraform destroy -auto-approve
psql -c "DROP DATABASE x"
mysql -e 'drop database x'
`,
	"environment-dump": `
env
printenv
env | sort
sudo env
env -u A
A=1 env
set
set | grep X
export -p
export
declare -p
declare -x
compgen -v
ps eww
ps auxe
cat /proc/self/environ
tr '\0' '\n' < /proc/self/environ
cat /proc/$$/environ
strings /proc/1/environ
bash -c env
bash -c 'printenv'
echo "$(env)"
while read x; do echo $x; done < <(printenv)
command env
busybox env
`,
	"persistence": `
echo x >> ~/.bashrc
echo x > $HOME/.profile
echo x | tee ~/.zshrc
echo x | tee -a ~/.zshrc
cp sub/x ~/.config/autostart/x.desktop
mv sub/x ~/.ssh/authorized_keys
ln -s x ~/.vimrc
cat > ~/.config/systemd/user/x.service <<< x
touch .git/hooks/pre-commit
echo x > .git/hooks/pre-commit
cd .git/hooks && echo x > pre-push
echo x > .git/config
echo x > .envrc
mkdir -p .vscode && echo x > .vscode/tasks.json
echo x > .claude/settings.json
echo x > .mcp.json
sed -i s/a/b/ ~/.bashrc
crontab sub/x
crontab -
git config core.hooksPath x
git config --global alias.x '!id'
systemctl --user enable x
sudo tee /etc/cron.d/x
bash -c 'echo x >> ~/.bashrc'
> ~/.bashrc
`,
	"credential-name": `
echo x > server.key
touch id_rsa
cp sub/x sub/x.pem
`,
	"": `
git status
git diff
git checkout main
git reset HEAD~1
git clean -n
git branch -d x
git stash
git push
git push --force-with-lease
git commit -m 'git reset --hard'
git log --grep 'reset --hard'
echo git reset --hard
echo "git reset --hard" > notes.txt
grep -rn 'git reset --hard' .
# git reset --hard
cat <<'E'⏎git reset --hard⏎E
git commit -F - <<'E'⏎rm -rf ~/x and git reset --hard⏎E
rm -rf node_modules
rm -rf sub/x ./build dist/*
rm -rf "$PWD/build"
rm -rf "$TMPDIR/x"
d=$(mktemp -d); rm -rf "$d"
rm -rf /tmp/x
rm x
find . -name '*.o' -delete
find sub -type f -delete
docker system df
kubectl get ns
terraform plan
psql -c 'select 1'
env -i ls
env A=1 ls
env FOO=1 make
printenv HOME
echo $HOME
set -euo pipefail
set -e; make
export A=1
declare -A m
declare -i n=1
ps aux
ps -ef
cat /proc/cpuinfo
echo x > sub/main.go
cat ~/.bashrc
ls ~/.config/autostart
cp ~/.bashrc sub/x
git config user.name x
git config --get core.hooksPath
crontab -l
cat server.crt
openssl x509 -in server.pem -noout
ls .git/hooks
echo x > .vscode/settings.json
make install
npm test
go test ./...
curl -s http://h/x
ssh h uptime
`,
}

func TestGuardOnScripts(t *testing.T) {
	j := guardJudge(t, nil)
	for want, scripts := range guardScripts {
		for script := range strings.Lines(scripts) {
			script = strings.ReplaceAll(strings.TrimSpace(script), "⏎", "\n")
			if script == "" {
				continue
			}
			if got := guardRule(t, j, script); got != want {
				t.Errorf("%q: denied by %q, want %q", script, got, want)
			}
		}
	}
}
