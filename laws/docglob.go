package laws

import (
	"reflect"
	"slices"
	"strings"

	"tenet/core/doc"
	"tenet/laws/law"
	"tenet/models/docglob"
)

type globLaw = law.Law[struct{}, docglob.In, docglob.Out]

// DocGlob: what a glob shows of all the paths that match (S8.9).
var DocGlob = struct {
	// WalkPage: a page is newest first, then by path, each path once at its newest time, at most 200 of them, and tells the page that follows or how many paths there are when it is past them.
	WalkPage globLaw `law:"glob_walk_page" rule:"S8.9"`
	// EventsAnyOrder: the page does not depend on the order in which the walk tells the paths.
	EventsAnyOrder globLaw `law:"glob_events_any_order" rule:"S8.9"`
	// AsksEveryPagePath: no path that belongs on the page is declined during the walk.
	AsksEveryPagePath globLaw `law:"glob_asks_every_page_path" rule:"S8.9"`
}{
	WalkPage: globLaw{Func: func(in docglob.In, out docglob.Out) law.Verdict {
		want := listing(in)
		got := out[0].Page
		return law.Check(slices.Equal(got.Paths, want.Paths) && got.Next == want.Next && got.Past == want.Past, "of %v the page is %+v and should be %+v", in, got, want)
	}},
	EventsAnyOrder: globLaw{Func: func(in docglob.In, out docglob.Out) law.Verdict {
		if len(out) < 2 {
			return law.Idle
		}
		for i, run := range out {
			if !reflect.DeepEqual(run.Page, out[0].Page) {
				return law.Broken("of %v order %d gives %+v, the first %+v", in, i, run.Page, out[0].Page)
			}
		}
		return law.Holds
	}},
	AsksEveryPagePath: globLaw{Func: func(in docglob.In, out docglob.Out) law.Verdict {
		v, want := law.Idle, listing(in)
		for _, run := range out {
			for _, f := range run.Declined {
				if slices.Contains(want.Paths, f) {
					return law.Broken("of %v the path %+v was declined, and is on the page", in, f)
				}
				v = law.Holds
			}
		}
		return v
	}},
}

// DocGlobBook lists them.
var DocGlobBook = law.Book[struct{}, docglob.In, docglob.Out]("docglob", &DocGlob)

// listing is the page of a walk, made the simple way: all the paths, each at its newest
// time, sorted, and cut.
func listing(in docglob.In) (want doc.Listing) {
	newest := map[string]doc.Found{}
	for _, f := range in.Told {
		if old, ok := newest[f.Path]; !ok || f.Time > old.Time {
			newest[f.Path] = f
		}
	}
	var all []doc.Found
	for _, f := range newest {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b doc.Found) int {
		if a.Time != b.Time {
			return int(b.Time - a.Time)
		}
		return strings.Compare(a.Path, b.Path)
	})
	size := in.Limit
	if size < 1 || size > 200 {
		size = 200
	}
	if in.Skip >= len(all) {
		want.Past = len(all)
		return want
	}
	want.Paths = all[in.Skip:min(len(all), in.Skip+size)]
	if len(all) > in.Skip+size {
		want.Next = in.Skip + size
	}
	return want
}
