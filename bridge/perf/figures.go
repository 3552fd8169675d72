package main

// figures are the rows of the page, in its order.
var figures = []figure{
	{text: "`tenet --version`, exec to exit", bench: "Version", metric: "ms", goal: 8},
	{text: "the same, beside `bash -c true`", bench: "Version", metric: "x-bash"},
	{text: "the same, beside the smallest Go program", bench: "Version", metric: "x-hello"},
	{text: "the same, peak memory", bench: "Version", metric: "MiB", goal: 12},
	{text: "a gate decision over 1,000 mixed scripts, with parsing: median", bench: "GateDecision", metric: "p50-us/script", goal: 15},
	{text: "the same: 99th percentile", bench: "GateDecision", metric: "p99-us/script", goal: 150},
	{text: "the same: system calls of a warm decision", bench: "GateDecision", metric: "kernel-calls/script"},
	{text: "one external command", bench: "OneExternal", metric: "x-bash", goal: 0.35},
	{text: "a bare fork, exec and wait of the same command", bench: "OneExternal", metric: "floor-of-one"},
	{text: "three external stages", bench: "ThreeExternal", metric: "x-bash", goal: 0.45},
	{text: "three built-in stages", bench: "ThreeBuiltins", metric: "x-bash", goal: 0.12},
	{text: "1,000 times `/bin/true`", bench: "ThousandTrue", metric: "x-bash", goal: 0.75},
	{text: "100 MB through three stages", bench: "BigPipe", metric: "x-bash", goal: 1},
	{text: "`yes \\| head -n 3`", bench: "YesHead", metric: "x-bash"},
	{text: "append with fsync, beside a bare write and fdatasync", bench: "Append", metric: "ratio", goal: 1.15},
	{text: "64 writers at once, durable", bench: "Group", metric: "records/s"},
	{text: "open a log of 100,000 records", bench: "Open/100000", metric: "open-ms", goal: 20},
	{text: "open a log of 1,000,000 records", bench: "Open/1000000", metric: "open-ms"},
	{text: "an admission ticket enters and leaves, 100,000 waiters beside 1,000", bench: "ArriveAndLeave/waiters=100000", over: "ArriveAndLeave/waiters=1000", metric: "ns/op"},
	{text: "a waiter leaves from the middle, 100,000 beside 1,000", bench: "LeaveFromTheMiddle/waiters=100000", over: "LeaveFromTheMiddle/waiters=1000", metric: "ns/op"},
	{text: "a slot is granted, 100,000 waiters beside 1,000", bench: "Grant/waiters=100000", over: "Grant/waiters=1000", metric: "ns/op"},
	{text: "grep a literal, CPU, beside `git grep`", bench: "Grep/literal/tenet", over: "Grep/literal/git", metric: "cpu-ms/op"},
	{text: "list files under git's ignore rules, CPU, beside `git ls-files`", bench: "Glob/tenet", over: "Glob/git", metric: "cpu-ms/op"},
	{text: "a streamed reply of 1,000 deltas, read and put together", bench: "Reply1000", metric: "ns/op"},
}
