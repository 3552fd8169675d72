package laws

import (
	"tenet/laws/law"
	"tenet/models/doctags"
)

type tagLaw = law.Law[doctags.State, doctags.Op, struct{}]

// DocTags: what a tag in a header stands for (S8.7).
var DocTags = struct {
	// TagNamesShownText: a tag names the very text its rows come from, whatever the file became meanwhile.
	TagNamesShownText tagLaw `law:"tag_names_shown_text" rule:"S8.7"`
}{
	TagNamesShownText: tagLaw{State: func(s doctags.State) law.Verdict {
		if s.Phase != doctags.Told {
			return law.Idle
		}
		return law.Check(s.Named == s.Rows, "the rows are those of %v, their tag names %v, the file is %v", s.Rows, s.Named, s.Disk)
	}},
}

// DocTagsBook lists it.
var DocTagsBook = law.Book[doctags.State, doctags.Op, struct{}]("doctags", &DocTags)
