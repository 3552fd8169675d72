package shell

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// planCp takes copies of plain files, and of trees to where nothing is yet.
func planCp(p *plan) act {
	set, names, ok := p.options("rR", "")
	pairs := p.pairs(names)
	if !ok || pairs == nil {
		return nil
	}
	deep := len(set) > 0
	for _, x := range pairs {
		if !p.copies(x, deep) {
			return nil
		}
	}
	return func(d *desk) int {
		status := 0
		for _, x := range pairs {
			status = max(status, cp{d, deep}.copy(x.from, x.to))
		}
		return d.end(status)
	}
}

// copies reports whether a copy has no odd case in it.
func (p *plan) copies(x pair, deep bool) bool {
	from, err := os.Stat(p.abs(x.from))
	if err != nil {
		return p.lstat(x.from) == nil && isNotExist(err)
	}
	to := p.lstat(x.to)
	switch {
	case from.Mode().IsRegular():
		link := p.lstat(x.from)
		return (link.Mode().IsRegular() || !deep) && (to == nil || to.Mode().IsRegular() && !os.SameFile(from, to))
	case from.IsDir() && deep:
		return to == nil && p.lstat(x.from).IsDir() && !inside(p.abs(x.from), p.abs(x.to)) && plainTree(p.abs(x.from))
	case from.IsDir():
		return true // refused with a message
	}
	return false
}

// plainTree: nothing but directories, files and links, and nothing with special bits.
func plainTree(dir string) bool {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.Type().IsRegular() || e.IsDir() || e.Type() == fs.ModeSymlink:
			return nil
		}
		return fs.ErrInvalid
	})
	return err == nil
}

type cp struct {
	d    *desk
	deep bool
}

func (c cp) copy(from, to string) int {
	if c.d.ctx.Err() != nil {
		return interrupted
	}
	src := absIn(c.d.dir, from)
	stat := os.Stat
	if c.deep {
		stat = os.Lstat
	}
	fi, err := stat(src)
	switch {
	case err != nil:
		return c.d.complain("cannot stat %s: %s", quoted(from), unixText(err))
	case fi.IsDir() && !c.deep:
		return c.d.complain("-r not specified; omitting directory %s", quoted(from))
	case fi.IsDir():
		return c.dir(from, to, fi)
	case fi.Mode()&fs.ModeSymlink != 0:
		return c.link(from, to)
	}
	return c.file(from, to, fi)
}

func (c cp) dir(from, to string, fi fs.FileInfo) int {
	dst := absIn(c.d.dir, to)
	// Writable while it is filled; umask and the source's mode in the end.
	if err := os.Mkdir(dst, fi.Mode().Perm()|0o700); err != nil {
		return c.d.complain("cannot create directory %s: %s", quoted(to), unixText(err))
	}
	entries, err := os.ReadDir(absIn(c.d.dir, from))
	if err != nil {
		return c.d.complain("cannot access %s: %s", quoted(from), unixText(err))
	}
	status := 0
	for _, e := range entries {
		status = max(status, c.copy(from+"/"+e.Name(), to+"/"+e.Name()))
	}
	if fi.Mode().Perm()&0o700 != 0o700 {
		made, err := os.Stat(dst)
		if err == nil {
			err = os.Chmod(dst, made.Mode().Perm()&fi.Mode().Perm())
		}
		if err != nil {
			return c.d.complain("setting permissions for %s: %s", quoted(to), unixText(err))
		}
	}
	return status
}

func (c cp) link(from, to string) int {
	at, err := os.Readlink(absIn(c.d.dir, from))
	if err == nil {
		err = os.Symlink(at, absIn(c.d.dir, to))
	}
	if err != nil {
		return c.d.complain("cannot create symbolic link %s: %s", quoted(to), unixText(err))
	}
	return 0
}

func (c cp) file(from, to string, fi fs.FileInfo) int {
	in, err := os.Open(absIn(c.d.dir, from))
	if err != nil {
		return c.d.complain("cannot open %s for reading: %s", quoted(from), unixText(err))
	}
	defer in.Close()
	out, err := os.OpenFile(absIn(c.d.dir, to), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fi.Mode().Perm())
	if err != nil {
		return c.d.complain("cannot create regular file %s: %s", quoted(to), unixText(err))
	}
	for err == nil && c.d.ctx.Err() == nil {
		_, err = io.CopyN(out, in, 8<<20)
	}
	if cerr := out.Close(); err == io.EOF || err == nil {
		err = cerr
	}
	switch {
	case c.d.ctx.Err() != nil:
		return interrupted
	case err != nil:
		return c.d.complain("error writing %s: %s", quoted(to), unixText(err))
	}
	return 0
}
