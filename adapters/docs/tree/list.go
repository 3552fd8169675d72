package tree

import "context"

// Names calls each for every name in an open directory, in the order of the system. It
// is done when that was all of them; the end of ctx ends it between two reads.
func Names(ctx context.Context, dir int, each func(name string)) (done bool, err error) {
	block := blocks.Get().(*[blockBytes]byte)
	defer blocks.Put(block)
	r := newReader(dir, true)
	defer r.close()
	for ctx.Err() == nil {
		records, whole, err := r.fill(block[:])
		for len(records) > 0 {
			_, name, size := record(records)
			if name != nil {
				each(string(name[:len(name)-1]))
			}
			records = records[size:]
		}
		if err != nil || whole {
			return err == nil, err
		}
	}
	return false, nil
}
