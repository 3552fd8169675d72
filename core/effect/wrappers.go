package effect

// wrapperRows are the wrappers whose options were read in their manuals. An option that
// does not stand here makes every word a beginning.
var wrapperRows = []wrapper{
	{names: "env", assigns: true, chdir: "C chdir", run: peelEnv, opts: envOptions},
	{names: "sudo", assigns: true, none: "l list v validate K remove-timestamp V version e edit help", chdir: "D chdir", run: peelSudo, opts: sudoOptions},
	{names: "doas", none: "L C", opts: "-L -n -s -C= -u= -a="},
	{names: "nohup setsid fakeroot unbuffer chronic proxychains proxychains4 torsocks torify dbus-run-session xvfb-run catchsegv rlwrap", opts: "-c -f -w -e -v -q -p -a -n= -s= --ctty --fork --wait --auto-servernum --server-num= --server-args="},
	{names: "nice", opts: "-# -n= --adjustment="},
	{names: "ionice", none: "p pid P pgid u uid", opts: "-c= -n= -p= -P= -u= -t --class= --classdata= --pid= --pgid= --uid= --ignore"},
	{names: "timeout gtimeout", skip: 1, opts: "-k= -s= -v -f -p --kill-after= --signal= --foreground --preserve-status --verbose"},
	{names: "time gtime", opts: "-a -p -q -v -l -h -V -f= -o= --append --portability --quiet --verbose --format= --output="},
	{names: "stdbuf", opts: "-i= -o= -e= --input= --output= --error="},
	{names: "chroot", skip: 1, away: true, opts: "--userspec= --groups= --skip-chdir -u= -g= -G= -n"},
	{names: "unshare", chdir: "w wd", opts: "-i? -m? -n? -p? -u? -U? -C? -T? -f -r -c -S= -G= -R= -w= --ipc? --mount? --net? --pid? --uts? --user? --cgroup? --time? --fork --kill-child? --mount-proc? --map-root-user --map-current-user --map-auto --map-user= --map-group= --map-users= --map-groups= --propagation= --setgroups= --setuid= --setgid= --root= --wd= --keep-caps --monotonic= --boottime="},
	{names: "nsenter", away: true, opts: "-t= -a -m? -u? -i? -n? -p? -C? -U? -T? -S= -G= -r? -w? -W= -e -F -Z --target= --all --mount? --uts? --ipc? --net? --pid? --cgroup? --user? --time? --setuid= --setgid= --root? --wd? --wdns= --env --no-fork --follow-context --preserve-credentials"},
	{names: "strace ltrace", none: "p attach", opts: "-A -c -C -d -D -f -F -h -i -k -n -q -r -S -t -T -v -V -w -x -y -z -Z -L -a= -b= -e= -E= -I= -l= -o= -O= -p= -P= -s= -u= -U= -X= --attach= --output= --trace= --string-limit= --follow-forks --output-separately --summary --summary-only --decode-fds? --quiet? --env= --user= --seccomp-bpf --timestamps?"},
	{names: "taskset", skip: 1, none: "p pid", opts: "-a -c -p --all-tasks --cpu-list --pid"},
	{names: "chrt", skip: 1, none: "p pid m max", opts: "-a -b -d -f -i -m -o -r -R -p -v -T= -P= -D= --all-tasks --batch --deadline --fifo --idle --max --other --rr --reset-on-fork --pid --verbose --sched-runtime= --sched-period= --sched-deadline="},
	{names: "setarch", skip: 1, again: true, opts: archOptions},
	{names: "linux32 linux64 i386 x86_64", opts: archOptions},
	{names: "caffeinate", opts: "-d -i -m -s -u -t= -w="},
	{names: "busybox toybox", none: "list list-full install", opts: "--list --list-full --install?"},
	{names: "ld.so", none: "list verify list-tunables list-diagnostics", opts: "--list --verify --inhibit-cache --library-path= --inhibit-rpath= --audit= --preload= --argv0= --glibc-hwcaps-prepend= --glibc-hwcaps-mask= --list-tunables --list-diagnostics"},
	{names: "builtin", opts: ""},
	{names: "command", none: "v V", opts: "-p -v -V"},
	{names: "exec", opts: "-c -l -a="},
	{names: "noglob nocorrect", opts: ""},
	{names: "watch", joins: true, run: peelWatch, opts: "-b -c -C -d? -e -g -n= -p -q= -r -s= -t -w -x --beep --color --no-color --differences? --errexit --chgexit --interval= --precise --equexit= --no-rerun --shotsdir= --no-title --no-wrap --exec"},
	{names: "ssh", skip: 1, again: true, joins: true, stays: true, away: true, none: "N G V Q", opts: "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B= -b= -c= -D= -E= -e= -F= -I= -i= -J= -L= -l= -m= -O= -o= -p= -P= -Q= -R= -S= -W= -w="},
	{names: "su", text: "c command session-command", run: peelSu, opts: suOptions},
	{names: "runuser", text: "c command", run: peelRunuser, opts: suOptions + " -u= --user="},
	{names: "flock", skip: 1, again: true, text: "c command", opts: "-s -x -e -u -n -o -F -w= -E= -c= -v --shared --exclusive --unlock --nonblock --nb --close --no-fork --fcntl --timeout= --wait= --conflict-exit-code= --command= --verbose"},
	{names: "script", skip: 1, text: "c command", stays: true, opts: "-a -c= -e -f -q -B= -E= -I= -O= -T= -m= -o= -t? --append --command= --return --flush --force --quiet --echo= --log-io= --log-in= --log-out= --log-timing= --logging-format= --output-limit= --timing?"},
	{names: "systemd-run", chdir: "working-directory", opts: "-t -P -d -G -q -r -S -p= -u= -E= -H= -M= --user --system --scope --pty --pipe --wait --same-dir --collect --quiet --shell --no-block --no-ask-password --remain-after-exit --send-sighup --unit= --property= --setenv= --slice= --slice-inherit --working-directory= --uid= --gid= --nice= --service-type= --description= --host= --machine= --on-active= --on-boot= --on-calendar= --on-startup= --on-unit-active= --on-unit-inactive= --timer-property= --background="},
	{names: "setpriv", opts: "-d --dump --clear-groups --groups= --inh-caps= --ambient-caps= --bounding-set= --init-groups --keep-groups --list-caps --no-new-privs --rgid= --egid= --regid= --ruid= --euid= --reuid= --securebits= --pdeathsig= --selinux-label= --apparmor-profile= --reset-env"},
	{names: "proot", away: true, chdir: "w pwd cwd", opts: "-r= -b= -q= -w= -v= -k= -i= -R= -S= -0 -h -V --rootfs= --bind= --mount= --qemu= --pwd= --cwd= --root-id --kill-on-exit --link2symlink"},
	{names: "firejail", opts: "-c -x= --quiet --private? --net? --noprofile --profile= --name= --read-only= --read-write= --whitelist= --blacklist= --bind= --seccomp? --caps? --noroot --nosound --shell= --env= --debug"},
	{names: "bwrap", run: peelBwrap, away: true},
	{names: "entr", text: "s", run: peelEntr, opts: "-a -c -d -n -p -r -s -x -z"},
	{names: "xargs", run: peelXargs, opts: "-0 -a= -d= -E= -e? -I= -i? -J= -L= -l? -n= -o -p -P= -R= -r -S= -s= -t -x --null --arg-file= --delimiter= --eof? --replace? --max-lines? --max-args= --open-tty --max-procs= --interactive --process-slot-var= --no-run-if-empty --max-chars= --show-limits --verbose --exit"},
	{names: "parallel sem", run: peelParallel, opts: parallelOptions},
	{names: "docker podman nerdctl", run: peelDocker},
	{names: "kubectl oc", run: peelKubectl},
	{names: "sh bash dash ash zsh ksh mksh rbash lksh yash", run: peelShell},
	{names: "fish", text: "c command C init-command", run: peelFish, opts: "-c= -C= -d= -D= -f= -o= -i -l -n -N -p= -P -v --command= --init-command= --debug= --debug-output= --features= --interactive --login --no-execute --no-config --profile= --private"},
	{names: "eval", run: peelEval},
	{names: "trap", run: peelTrap},
	{names: "mapfile readarray", text: "C", stays: true, none: "C c d n O s t u", opts: "-C= -c= -d= -n= -O= -s= -t -u="},
	{names: "compgen complete", text: "C", stays: true, none: "C F A G W P S X o a b c d e f g j k s u v p r D E I", opts: "-C= -F= -A= -G= -W= -P= -S= -X= -o= -a -b -c -d -e -f -g -j -k -s -u -v -p -r -D -E -I"},
	{names: "find", run: peelFind},
}

const (
	envOptions      = "-i -0 -v -u= -C= -S= -P= -a= -L= -U= --ignore-environment --null --debug --unset= --chdir= --split-string= --argv0= --block-signal? --default-signal? --ignore-signal? --list-signal-handling"
	sudoOptions     = "-A -B -b -E -e -i -K -k -l -n -N -P -S -s -v -V -H -C= -D= -g= -h= -p= -R= -r= -T= -t= -U= -u= --askpass --background --bell --edit --list --login --no-update --non-interactive --preserve-env? --preserve-groups --remove-timestamp --reset-timestamp --set-home --shell --stdin --validate --close-from= --chdir= --group= --host= --prompt= --chroot= --role= --command-timeout= --type= --other-user= --user="
	suOptions       = "-c= -l -m -p -P -f -T -s= -g= -G= -w= --command= --session-command= --login --preserve-environment --pty --no-pty --fast --shell= --group= --supp-group= --whitelist-environment="
	archOptions     = "-3 -B -F -I -L -R -S -T -X -Z -v -h --32bit --fdpic-funcptrs --short-inode --addr-compat-layout --addr-no-randomize --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 --verbose --list --show?"
	parallelOptions = "-0 -a= -C= -d= -E= -h= -I= -i? -j= -J= -k -l? -L= -m -M -n= -N= -P= -q -r -R= -s= -S= -t -u -v -x -X --arg-file= --arg-sep= --bar --bg --block= --colsep= --compress --controlmaster --delay= --delimiter= --dry-run --env= --eta --fg --group --halt= --header= --id= --joblog= --jobs= --keep-order --lb --line-buffer --link --load= --max-args= --max-chars= --max-lines? --max-procs= --max-replace-args= --memfree= --nice= --no-notice --no-run-if-empty --null --number-of-cores --onall --nonall --pipe --progress --quote --rpl= --results= --resume --resume-failed --retries= --semaphore --semaphorename= --shebang --shuf --silent --sshlogin= --sshloginfile= --tag --tagstring= --tempdir= --timeout= --tmpdir= --trim= --ungroup --use-cpus-instead-of-cores --verbose --wait --wd= --will-cite --workdir= --xapply"
)
