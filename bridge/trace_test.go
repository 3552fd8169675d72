package bridge

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"tenet/bridge/engine/golden"
	"tenet/laws"
	"tenet/laws/law"
)

// areaTests names, for each area, the tests that tie its laws to what runs, beside
// the exhaustive search that TestPins and `tenet laws check` make of every area.
// They are Go values: a test that is renamed or deleted breaks the build here.
var areaTests = map[string][]any{
	"admission":  {TestAdmissionShortHistories, TestAdmissionLongHistories, TestAdmissionSchedules, TestAdmissionCrowd, TestAdmissionHistories, TestAdmissionBlockingHistories, FuzzAdmission},
	"approvals":  {TestApprovalsRoutes, TestApprovalsMoments, TestApprovalsRapid, TestApprovalsSchedules, TestApprovalsHistories, TestApprovalsChainSchedules, TestApprovalsChainCrowd, FuzzApprovals},
	"card":       {TestCardModel, TestCardQuick, TestCardRapid, TestCardKeysRapid},
	"childenv":   {TestChildenvModel, TestChildenvQuick, TestChildenvRapid, TestChildenvKnowsOurKeys},
	"effect":     {TestEffectHistories, TestGuardCases},
	"fallback":   {TestFallbackModel, TestFallbackQuick, TestFallbackRapid, TestWhatIsShownOfASelector},
	"guard":      {TestGuardModel, TestGuardRapid, TestGuardQuick, TestGuardOnScripts, TestGuardDoc},
	"jobs":       {TestJobsQuick, TestJobsShortHistories, TestJobsRapid, TestJobsOutputRapid, TestJobsReal, FuzzJobs},
	"lease":      {TestLeaseShortHistories, TestLeaseRapid, TestLeaseSchedules, TestLeaseHistories, FuzzLease},
	"doccommit":  {TestDocCommitQuick, TestDocCommitHistories},
	"doclines":   {TestDocLinesModel, TestDocLinesQuick, TestDocLinesRapid},
	"docrows":    {TestDocRowsModel, TestDocRowsQuick, TestDocRowsRapid, TestDocRowsHash},
	"docglob":    {TestDocGlobModel, TestDocGlobQuick, TestDocGlobRapid},
	"docsearch":  {TestDocSearchQuick, TestDocSearchTrees},
	"docseen":    {TestDocSeenModel, TestDocSeenQuick, TestDocSeenHistories, TestDocSeenWidestReveal},
	"doctags":    {TestDocTagsModel, TestDocTagsCollide, TestDocTagsQuick},
	"log":        {TestLogShortHistories, TestLogLongHistories, TestLogCrashes, TestLogEdits, TestLogLongerThanTheWindow, TestLogKilled, TestLogKept, FuzzLog},
	"pathpolicy": {TestPathpolicyHistories, TestPathCases, FuzzPathpolicy},
	"permission": {TestPermissionModel, TestPermissionRapid, TestFloorCases, FuzzFloor, TestGrantsRapid, TestGrantCrashes},
	"prompts":    {TestPromptsModel, TestPromptsQuick, TestPromptsRapid},
	"recovery":   {TestRecoveryQuick, TestRecoveryTexts},
	"run":        {TestRunQuick, TestRunStories},
	"runners":    {TestRunnersQuick, TestRunnersRegistryIsCompared},
	"skills":     {TestSkillsModel, TestSkillsQuick, TestSkillsRapid, TestSkillsDeniedFiles, TestNothingOfARepositoryRuns},
	"surface":    {TestSurfaceModel, TestSurfaceQuick, TestSurfaceRapid, TestReservedNamesAreTheRosters},
	"turn":       {TestTurnModel, TestTurnRapid, TestTurnReach, TestTurnCards, TestTurnQueueModel, TestTurnQueueQuick, TestTurnQueueStories},
	"undo":       {TestUndoModel, TestUndoQuick, TestUndoRapid},
	"wait":       {TestWaitShortHistories, TestWaitRapid, TestWaitEveryInstant, FuzzWait},
}

// TestTrace holds TRACE.md to the code and fails on a law without a tie: without a
// production symbol, a test, a search, a premise that held, or a sentence.
func TestTrace(t *testing.T) {
	var b strings.Builder
	b.WriteString(traceHead)
	all := pins(t)
	for _, a := range Areas() {
		p := pinOf(all, a.Name)
		for _, gap := range gaps(a, p) {
			t.Errorf("area %s: %s", a.Name, gap)
		}
		traceArea(&b, a, p)
	}
	if t.Failed() {
		return // nothing is compared, or rewritten, from a run that failed
	}
	if err := golden.Check("../TRACE.md", b.String()); err != nil {
		t.Error(err)
	}
}

// gaps lists what an area owes.
func gaps(a Area, p laws.Pin) []string {
	var out []string
	owes := func(missing bool, format string, args ...any) {
		if missing {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	owes(len(a.Production) == 0, "no production symbol: what do its laws speak about?")
	for _, s := range symbols(a.Production) {
		owes(strings.Contains(s, ".func"), "production symbol %s has no name: use a function or a method expression", s)
	}
	owes(p.States == 0, "no exhaustive search is pinned")
	owes(a.Bound == "", "the search's bound is not said")
	owes(len(a.Laws) == 0, "no law")
	for _, l := range a.Laws {
		owes(lawPin(p, l).Premise == 0, "the premise of %s never held", l.ID)
		owes(lawPin(p, l).Mutants == 0, "no mutant names %s", l.ID)
		owes(laws.Says(l.Area, l.Name) == "", "%s has no sentence: write the doc comment of its field", l.ID)
	}
	return out
}

func traceArea(w io.Writer, a Area, p laws.Pin) {
	fmt.Fprintf(w, "\n## %s\n\n", a.Name)
	fmt.Fprintf(w, "- relation: **%s**\n", a.Relation)
	fmt.Fprintf(w, "- searched: %s; %s states, %s steps, %d deep\n", a.Bound, thousands(p.States), thousands(p.Steps), p.Depth)
	fmt.Fprintf(w, "- production: %s\n", code(symbols(a.Production)))
	fmt.Fprintf(w, "- tests: %s\n\n", code(testNames(a)))
	fmt.Fprintf(w, "| law | rule | kind | sentence | premise held |\n|---|---|---|---|---:|\n")
	for _, l := range a.Laws {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", l.ID, l.Rule, l.Kind, laws.Says(l.Area, l.Name), thousands(lawPin(p, l).Premise))
	}
}

func testNames(a Area) []string {
	out := symbols(append([]any{TestPins}, areaTests[a.Name]...))
	for i := range out {
		out[i] = strings.TrimPrefix(out[i], "bridge.")
	}
	if a.Quick != nil {
		out = append(out, "TestQuick/"+a.Name)
	}
	return append(out, "TestBites")
}

// symbols are the functions' names without the module and without line numbers:
// lines move, names are kept by the compiler.
func symbols(fs []any) []string {
	var out []string
	for _, f := range fs {
		name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
		out = append(out, strings.TrimPrefix(name, "tenet/"))
	}
	return out
}

func code(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

const traceHead = `# From the laws to the code

Generated by ` + "`make golden`" + `; a test holds it to the code. For each area: how its model stands to
production (same: core itself, closed with its adversary; reference: an independent algorithm,
compared step by step; abstraction: a coarser machine that production maps into), what the search
covers, which symbols of production the laws speak about, which tests tie them, and for each law how
often its premise held in the search.
`

// TestQuick drives production beside the model for a bounded number of histories:
// the check that no mutant of an adapter survives.
func TestQuick(t *testing.T) {
	for _, a := range Areas() {
		if a.Quick == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			defer report.Time(a.Name)()
			if err := a.Quick(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestAreaTestsAreOfAreas: the map of tests names areas that exist.
func TestAreaTestsAreOfAreas(t *testing.T) {
	known := map[string]bool{}
	for _, a := range Areas() {
		known[a.Name] = true
		if _, ok := areaTests[a.Name]; !ok {
			t.Errorf("area %s has no entry in areaTests: name its tests in bridge/trace_test.go", a.Name)
		}
	}
	for name := range areaTests {
		if !known[name] {
			t.Errorf("areaTests names area %s, which is not registered", name)
		}
	}
}

// TestCatalogue: every law stands in the catalogue under its area, its rule and its
// name, so that the table of what is planned cannot lose one.
func TestCatalogue(t *testing.T) {
	entries := map[string]laws.Entry{}
	for _, e := range laws.Catalogue() {
		if _, twice := entries[e.ID]; twice {
			t.Errorf("laws/catalogue.tsv lists %s twice", e.ID)
		}
		entries[e.ID] = e
	}
	for _, a := range Areas() {
		for _, l := range a.Laws {
			e, ok := entries[l.ID]
			switch {
			case !ok:
				t.Errorf("law %s.%s (%q) is not in laws/catalogue.tsv: add a row", l.Area, l.Name, l.ID)
			case e.Area != l.Area || e.Area != a.Name || e.Rule != l.Rule:
				t.Errorf("law %s is of area %s and rule %s; the catalogue says %s and %s", l.ID, l.Area, l.Rule, e.Area, e.Rule)
			case !named(l):
				t.Errorf("law %s has the Go name %s: take the catalogue's in camel case, without its first word if that is the area", l.ID, l.Name)
			}
		}
	}
}

// named is true when the law's Go name is its catalogue name in camel case, whole or
// without its first word.
func named(l law.Info) bool {
	_, rest, _ := strings.Cut(l.ID, "_")
	camel := func(s string) string { return strings.ReplaceAll(s, "_", "") }
	return strings.EqualFold(l.Name, camel(l.ID)) || strings.EqualFold(l.Name, camel(rest))
}
