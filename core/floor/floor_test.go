package floor_test

import (
	"slices"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/floor"
)

var place = floor.Place{Home: "/home/u", Root: "/home/u/proj"}

// command reads a command as the analyzer would hand it on: $ is a part that is not
// known, a leading ~ is the home, and a word with * ? or [ is a pattern; a quoted word
// stands between bars. What stands behind > is a redirection.
func command(dir, text string) call.Command {
	c := call.Command{Dir: dir}
	for f := range strings.FieldsSeq(text) {
		w := call.Word{Text: strings.Trim(f, "|")}
		if w.Text == f {
			w.Pattern = strings.ContainsAny(f, "*?[")
			if f == "~" || strings.HasPrefix(f, "~/") {
				w.Text = "/home/u" + f[1:]
			}
			w.Text = strings.ReplaceAll(w.Text, "$", call.Hole)
		}
		if to, ok := strings.CutPrefix(w.Text, ">"); ok {
			c.Outs = append(c.Outs, call.Word{Text: to})
			continue
		}
		c.Words = append(c.Words, w)
	}
	return c
}

func check(dir, text string) string {
	rule, _, _ := floor.Check(place, call.Step{Commands: []call.Command{command(dir, text)}})
	return rule
}

// Each rule, what falls under it, and what looks like it and does not. A line that
// begins with a directory and a colon runs there.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ rule, hits, spares string }{
		{"wipe-root-or-home", `
			rm -rf /
			rm -r /
			rm --recursive --force /
			rm --recu /
			rm -fR /
			rm /  -rf
			rm -rf //.
			rm -rf /./..
			rm -rf -- /
			rm -rf --no-preserve-root /
			rm -rf /tmp/safe /
			rm -rf /*
			rm -rf /.*
			rm -rf /*/*
			rm -rf /.[!.]*
			rm -rf /h*
			rm -rf /home
			rm -rf /home/
			rm -rf /home/*
			rm -rf /home/u
			rm -rf /home/u/
			rm -rf ~
			rm -rf ~/
			rm -rf ~/*
			rm -rf ~/.[!.]*
			rm -rf ~/.??*
			rm -rf /ho?e/[a-z]
			rm -rf ..
			rm -rf ../*
			rm -rf ../proj/..
			rm -rf $/
			rm -rf $/*
			rm -rf $/$
			rm $ /
			rm -$ /
			/bin/rm -rf /
			/bin/r? -rf /
			/proc/self/root/bin/rm -rf /
			rm -rf /proc/self/root
			rm -rf /proc/1/root/home/u
			/home/u: rm -rf .
			/home/u: rm -rf *
			/home/u: rm -rf ./* .[!.]*
			/home: rm -rf u
			/home/u: rm -rf /proc/self/cwd
			/: rm -rf .
			/: rm -rf home
			/: rm -rf *
			mv / /tmp/x
			mv ~ /tmp/x
			mv ~/* /tmp/x
			mv -t /tmp/x ~
			mv -vt /tmp/x ~
			mv --target-directory=/tmp/x ~
			mv --target-directory /tmp/x ~
			find / -delete
			find ~ -delete
			find /* -delete
			find -H / -delete
			find -D stat / -delete
			find ~ -type f -delete
			find ~ -mtime +30 -delete
			find ~ -name * -delete
			find ~ -delete -name x
			find ~ ! -name keep -delete
			find ~ -type d -o -name x -delete
			find ~ -exec rm -rf {} +
			find ~ -exec sudo /bin/rm {} ;
			find ~ -execdir rm {} ;
			find ~ -exec echo {} ; -delete
			/home/u: find -delete
			/home/u: find . -delete`, `
			rm /
			rm -f /home/u/x
			rm -rf build
			rm -rf ./*
			rm -rf *
			rm -rf .
			rm -rf ~/proj
			rm -rf ~/proj/*
			rm -rf ~/.cache
			rm -rf ~/D*
			rm -rf ~/*/node_modules
			rm -rf /tmp/*
			rm -rf /tmp/u
			rm -rf /homes
			rm -rf /home/user2
			rm -rf $
			rm -rf $$
			rm -rf $/build
			rm -rf $x/*
			rm -rf |~|
			rm -rf ./~
			rm -rf |*|
			rm -rf -- -r
			: rm -rf .
			: rm -rf *
			echo rm -rf /
			grep -rf /
			mv a ~
			mv a b /
			mv -t ~ a b
			mv -t~ a b
			mv $ ~
			mv ~/a ~/b
			find . -delete
			find / -name core
			find ~ -name *.pyc -delete
			find ~ -type f -name .DS_Store -delete
			find ~ ( -name a -o -name b ) -delete
			find ~ -type d -empty -delete
			find ~ -name x ! -name y -delete
			find /tmp -delete
			find ~ -exec grep -l x {} +
			find ~ -exec echo {} ; -name rm`},
		{"open-root-or-home", `
			chmod -R 777 /
			chmod --recursive a+rwx /
			chmod -R u+rwX /
			chmod -R -x /
			chmod 0777 -R ~
			chmod -R o+w ~
			chmod -R a=rwx ~/*
			chmod -R u=rwx,o=rwx ~
			chmod -R 000 ~
			chown -R u /
			chown -Rh u:u /*
			chgrp -R u /`, `
			chmod 777 /
			chmod -R 777 .
			chmod -R 777 ~/proj
			chmod -R 700 ~
			chmod -R go-rwx ~
			chmod -R o-w ~
			chmod -R u+w ~
			chown -R u ~
			chown u /
			chgrp -R u /srv`},
		{"format-disk", `
			mkfs /dev/sdb
			mkfs.ext4 -F /dev/sdb1
			/sbin/mkfs.xfs disk.img
			mke2fs /dev/sdb1
			newfs_apfs /dev/disk2`, `
			mkfs.ext4 --version
			mkfs --help
			mkfsx
			echo mkfs.ext4`},
		{"write-raw-disk", `
			cat img >/dev/sda
			echo >/dev/nvme0n1p1
			echo >/dev/vda
			echo >/dev/mmcblk0
			echo >/dev/disk2
			echo >/dev/sd$
			>/dev/sda
			/dev: echo >sda
			dd if=img of=/dev/sda
			dd of=/dev/rdisk2 if=img
			dd if=x of=/dev/anything
			tee /dev/sda
			cp img /dev/sda
			shred -n 1 /dev/sda
			wipefs -a /dev/sda`, `
			echo >/dev/null
			echo >/dev/stderr
			echo >/dev/shm/x
			echo >sda
			dd if=/dev/sda of=img
			dd if=/dev/zero of=/dev/null
			dd if=/dev/zero of=/dev/shm/x
			dd if=x of=y
			cp /dev/sda img
			cat /dev/sda
			tee out`},
		{"stop-machine", `
			shutdown -h now
			/sbin/reboot
			halt -p
			poweroff
			systemctl poweroff
			systemctl --force reboot
			systemctl isolate reboot.target
			loginctl poweroff
			init 0
			telinit 6`, `
			reboot --help
			grep -rn shutdown src
			systemctl status sshd
			systemctl restart nginx
			init 3
			npm init`},
		{"force-push-main", `
			git push --force origin main
			git push -f origin master
			git push origin main --force
			git -C . push -uf origin main
			git -c a=b push -f origin main
			git push origin +main
			git push -f origin HEAD:main
			git push -f origin HEAD:refs/heads/main
			git push origin +topic:main
			git push origin :main
			git push origin --delete main
			git push -d origin master
			git push -fo ci.skip origin main
			git push -f -o ci.skip origin main
			git push --force-with-lease --force origin main
			git push --no-force --force origin main
			git push -n --no-dry-run -f origin main
			git push --mirror backup
			git push --mir backup
			git push --all -f origin
			git push origin +refs/heads/*:refs/heads/*
			git push -f origin :
			git push -f -- origin main
			/usr/bin/git push -f origin main`, `
			git push
			git push origin main
			git push --force
			git push --force origin
			git push --force origin topic
			git push --force-with-lease origin main
			git push --force-with-lease=main origin main
			git push --force-if-includes origin main
			git push --force --no-force origin main
			git push -f --dry-run origin main
			git push -f main
			git push -f origin main:topic
			git push -f origin $
			git push origin --delete topic
			git push origin HEAD
			git push -o f origin main
			git commit -m push -f origin main
			git log -- push --force origin main
			git -C push status`},
	} {
		for line := range lines(c.hits) {
			if got := check(at(line)); got != c.rule {
				t.Errorf("%s: the floor says %q, want %q", line, got, c.rule)
			}
		}
		for line := range lines(c.spares) {
			if got := check(at(line)); got != "" {
				t.Errorf("%s: the floor says %q, want nothing", line, got)
			}
		}
		if !slices.Contains(floor.Rules(), c.rule) {
			t.Errorf("Rules does not list %s", c.rule)
		}
	}
}

func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for l := range strings.Lines(text) {
			if l = strings.TrimSpace(l); l != "" && !yield(l) {
				return
			}
		}
	}
}

// at is the directory of a line and its command; a line that begins with a colon runs
// in a directory that is not known.
func at(line string) (dir, text string) {
	dir, text, ok := strings.Cut(line, ": ")
	if !ok || dir != "" && dir[0] != '/' {
		return "/home/u/proj", line
	}
	return dir, text
}

// Where a word really leads counts as much as how it is spelled: the program's word
// and the operand's, links between.
func TestCheckLooksWhereWordsLead(t *testing.T) {
	rm := call.Word{Text: "./clean", Real: "/usr/bin/rm"}
	home := call.Word{Text: "link/", Real: "/home/u"}
	for name, words := range map[string][]call.Word{
		"a link to rm":       {rm, {Text: "-rf"}, {Text: "/"}},
		"a link to the home": {{Text: "rm"}, {Text: "-rf"}, home},
	} {
		s := call.Step{Commands: []call.Command{{Dir: "/home/u/proj", Words: words}}}
		if rule, _, hit := floor.Check(place, s); !hit || rule != "wipe-root-or-home" {
			t.Errorf("%s: %q, %v", name, rule, hit)
		}
	}
}

// One command of many is enough, and so is a shape that no single command shows.
func TestCheckLooksAtTheWholeStep(t *testing.T) {
	s := call.Step{Commands: []call.Command{command("/home/u/proj", "ls"), command("/home/u/proj", "rm -rf /")}}
	if rule, why, hit := floor.Check(place, s); !hit || rule != "wipe-root-or-home" || why == "" {
		t.Errorf("behind another command: %q, %q, %v", rule, why, hit)
	}
	if rule, why, hit := floor.Check(place, call.Step{Hazards: []string{call.HazardForkBomb}}); !hit || rule != "fork-bomb" || why == "" {
		t.Errorf("a fork bomb: %q, %q, %v", rule, why, hit)
	}
	if _, _, hit := floor.Check(floor.Place{}, call.Step{Commands: []call.Command{{}, command("", "ls")}}); hit {
		t.Error("nothing and ls fall under the floor")
	}
}

// Without a home only / is left to wipe; with a slash behind the home it is the same.
func TestCheckTakesAnyHome(t *testing.T) {
	for _, c := range []struct {
		home, text string
		hit        bool
	}{
		{"", "rm -rf /home/u", false},
		{"", "rm -rf /", true},
		{"", "rm -rf /h*", false},
		{"/home/u/", "rm -rf /home/u", true},
		{"/root", "rm -rf /root/*", true},
		{"/", "rm -rf /x", false},
	} {
		s := call.Step{Commands: []call.Command{command("/w", c.text)}}
		if _, _, hit := floor.Check(floor.Place{Home: c.home}, s); hit != c.hit {
			t.Errorf("home %q: %s: %v", c.home, c.text, hit)
		}
	}
}

// FuzzCheck: no words make it panic or hang, and a wipe of / behind them is seen.
func FuzzCheck(f *testing.F) {
	f.Add("find / -name x -o -delete", "[[*?", "/home/u")
	f.Add("git -C push -f origin +:", "]!*[", "")
	f.Fuzz(func(t *testing.T, text, word, home string) {
		p := floor.Place{Home: home, Root: "/w"}
		c := command("/w", text)
		c.Words = append(c.Words, call.Word{Text: word, Pattern: true, Real: word})
		floor.Check(p, call.Step{Commands: []call.Command{c}})
		if _, _, hit := floor.Check(p, call.Step{Commands: []call.Command{c, command("/w", "rm -rf /")}}); !hit {
			t.Errorf("%q hides a wipe behind it", text)
		}
	})
}
