package settings

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxMS is the longest time that a setting may name: a day.
const maxMS = int64(24 * time.Hour / time.Millisecond)

// keys is the table, sorted by name.
var keys = table()

func table() []Key {
	all := slices.Concat(ofGate(), ofModels(), ofTurn(), ofContext(), ofInterface())
	slices.SortFunc(all, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// ofGate are the settings that ReadUser reads by itself: how closely calls are watched.
func ofGate() []Key {
	return []Key{
		{Name: "profile", Kind: String, Scope: UserOnly, Words: []string{"open", "balanced", "strict"}, Says: "the rules below yours and what runs unasked"},
		{Name: "permissions", Kind: Object, Scope: Anyone, Edit: "tenet rules", Says: "what is allowed, asked about and denied"},
		{Name: "shell.autoEffects", Kind: List, Scope: UserOnly, Says: "the effects that run unasked where no rule speaks"},
		{Name: "guard.off", Kind: List, Scope: UserOnly, Says: "rules of the guard that are switched off"},
		{Name: "guard.network", Kind: String, Scope: UserOnly, Words: []string{"rules", "deny"}, Says: "whether rules decide about the network, or it is shut"},
		{Name: "guard.hosts", Kind: List, Scope: UserOnly, Says: "what a shut network still lets through"},
		{Name: "guard.writeRoots", Kind: List, Scope: UserOnly, Says: "the only directories that may be written"},
		{Name: "guard.protected", Kind: List, Scope: UserOnly, Says: "parts of paths that are never written"},
		{Name: "trustedProjects", Kind: Object, Scope: UserOnly, Edit: "tenet trust", Says: "the projects whose files count whole"},
	}
}

func ofModels() []Key {
	model, showModel := word(func(r *Run) *string { return &r.Model })
	aux, showAux := word(func(r *Run) *string { return &r.AuxiliaryModel })
	think, showThink := word(func(r *Run) *string { return &r.Thinking })
	return []Key{
		{Name: "model", Kind: String, Scope: WithTrust, text: model, show: showModel, Says: "the model that works, as 'tenet models' lists it"},
		{Name: "auxiliaryModel", Kind: String, Scope: WithTrust, text: aux, show: showAux, Says: "the model that writes summaries; without it the session's own does"},
		{Name: "thinking", Kind: String, Scope: Anyone, Words: ThinkingLevels(), text: think, show: showThink, Says: "how much the model is asked to think; without it its server decides"},
		{Name: "allowedModels", Kind: List, Scope: WithTrust, show: func(r Run) string { return quoteAll(r.Allowed.List) },
			Says: "the only models that may be used: \"provider/id\", \"provider/*\" or an id; a list that cannot be read allows none"},
	}
}

func ofTurn() []Key {
	enabled, showEnabled := toggle(func(r *Run) *bool { return &r.Retry.Enabled })
	retries, showRetries := count(func(r *Run) *int { return &r.Retry.MaxRetries })
	base, showBase := ms(func(r *Run) *time.Duration { return &r.Retry.BaseDelay })
	idle, showIdle := ms(func(r *Run) *time.Duration { return &r.Retry.StreamIdle })
	most, showMost := ms(func(r *Run) *time.Duration { return &r.Retry.MaxDelay })
	whole, showWhole := ms(func(r *Run) *time.Duration { return &r.Retry.Timeout })
	rounds, showRounds := count(func(r *Run) *int { return &r.MaxToolRounds })
	budget, showBudget := ms(func(r *Run) *time.Duration { return &r.ToolBlockingBudget })
	hooks, showHooks := texts(func(r *Run) *[]string { return &r.StopHooks })
	return []Key{
		{Name: "retry.enabled", Kind: Bool, On: true, flag: enabled, show: showEnabled, Says: "whether a request that failed for a passing reason is sent again"},
		{Name: "retry.maxRetries", Kind: Number, Max: 20, Default: 3, num: retries, show: showRetries, Says: "how often it is sent again"},
		{Name: "retry.baseDelayMs", Kind: Number, Unit: "ms", Max: maxMS, Default: 2000, num: base, show: showBase, Says: "the wait before the first retry; each further one doubles it"},
		{Name: "retry.provider.streamIdleTimeoutMs", Kind: Number, Unit: "ms", Min: 1000, Max: maxMS, Zero: true, Default: 120_000, num: idle, show: showIdle, Says: "how long a reply may be silent before it counts as stalled"},
		{Name: "retry.provider.maxRetryDelayMs", Kind: Number, Unit: "ms", Max: maxMS, Zero: true, Default: 60_000, num: most, show: showMost, Says: "the longest wait between two tries; a server that asks for more ends the turn"},
		{Name: "retry.provider.timeoutMs", Kind: Number, Unit: "ms", Max: maxMS, num: whole, show: showWhole, Says: "the longest that one request may take as a whole; 0 is no such bound"},
		{Name: "maxToolRounds", Kind: Number, Max: 10_000, Zero: true, Default: 250, num: rounds, show: showRounds, Says: "the most tool rounds of one turn"},
		{Name: "toolBlockingBudgetMs", Kind: Number, Unit: "ms", Max: maxMS, Zero: true, Default: 30_000, num: budget, show: showBudget, Says: "how long one call may hold up the turn before it goes on as a job"},
		{Name: "hooks.stop", Kind: List, Scope: WithTrust, list: hooks, show: showHooks, Says: "commands that must succeed before the model's finish counts"},
	}
}

func ofContext() []Key {
	enabled, showEnabled := toggle(func(r *Run) *bool { return &r.Compaction.Enabled })
	reserve, showReserve := count(func(r *Run) *int { return &r.Compaction.ReserveTokens })
	keep, showKeep := count(func(r *Run) *int { return &r.Compaction.KeepRecentTokens })
	skills, showSkills := texts(func(r *Run) *[]string { return &r.Skills })
	read, showRead := toggle(func(r *Run) *bool { return &r.Instructions.Enabled })
	one, showOne := count(func(r *Run) *int { return &r.Instructions.MaxFileBytes })
	all, showAll := count(func(r *Run) *int { return &r.Instructions.MaxTotalBytes })
	return []Key{
		{Name: "compaction.enabled", Kind: Bool, On: true, flag: enabled, show: showEnabled, Says: "whether a long context is summarised before it is full"},
		{Name: "compaction.reserveTokens", Kind: Number, Unit: "tokens", Max: 10_000_000, Zero: true, Default: 16_384, num: reserve, show: showReserve, Says: "the room that is kept free for the reply"},
		{Name: "compaction.keepRecentTokens", Kind: Number, Unit: "tokens", Max: 10_000_000, Zero: true, Default: 20_000, num: keep, show: showKeep, Says: "how much of the newest messages stays word for word"},
		{Name: "skills", Kind: List, Scope: WithTrust, list: skills, show: showSkills, Says: "directories with skills beside those that are looked for anyway"},
		{Name: "instructions.enabled", Kind: Bool, On: true, flag: read, show: showRead, Says: "whether AGENTS.md and CLAUDE.md are read"},
		{Name: "instructions.maxFileBytes", Kind: Number, Unit: "bytes", Max: 1 << 20, Zero: true, Default: 64 << 10, num: one, show: showOne, Says: "the most that is read of one of them"},
		{Name: "instructions.maxTotalBytes", Kind: Number, Unit: "bytes", Max: 4 << 20, Zero: true, Default: 256 << 10, num: all, show: showAll, Says: "the most that is read of all of them"},
	}
}

func ofInterface() []Key {
	theme, showTheme := word(func(r *Run) *string { return &r.Interface.Theme })
	mouse, showMouse := toggle(func(r *Run) *bool { return &r.Interface.Mouse })
	still, showStill := toggle(func(r *Run) *bool { return &r.Interface.ReducedMotion })
	side, showSide := toggle(func(r *Run) *bool { return &r.Interface.Sidebar })
	return []Key{
		{Name: "interface.theme", Kind: String, Scope: UserOnly, Words: Themes(), text: theme, show: showTheme, Says: "the colours of the terminal interface; without it dark, or mono where there are none"},
		{Name: "interface.mouse", Kind: Bool, Scope: UserOnly, flag: mouse, show: showMouse, Says: "whether the interface takes the mouse; the terminal then selects text only with Shift"},
		{Name: "interface.reducedMotion", Kind: Bool, Scope: UserOnly, flag: still, show: showStill, Says: "whether nothing moves while it is waited"},
		{Name: "interface.sidebar", Kind: Bool, On: true, Scope: UserOnly, flag: side, show: showSide, Says: "whether files, jobs and questions stand beside the transcript from 120 columns"},
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func boolean(b bool) string { return strconv.FormatBool(b) }

// quote is a string as JSON; empty for none.
func quote(s string) string {
	if s == "" {
		return ""
	}
	b, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(b)
}

// quoteAll is a list as JSON; empty for none.
func quoteAll(list []string) string {
	if list == nil {
		return ""
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
		if out[i] == "" {
			out[i] = `""`
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}
