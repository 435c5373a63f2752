// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxNames is how many names of a folder are kept in memory, in one pass over it; up to twice as many are there while it is read. A folder
// that has more is read again for each maxNames of them.
const maxNames = 1 << 16

// folderNames gives what is in a folder, of which it keeps a bounded number of names.
type folderNames struct {
	dir  *os.Root
	want func(e fs.DirEntry) bool // what to give; it is asked in each pass
	most int

	list  []entry // what is yet to be given
	last  string  // the key of the last one that was listed
	ended bool    // all are in list, or were given
	reads int     // passes over the folder
}

// An entry is what is in a folder.
type entry struct {
	key  string // its name, and after that of a folder a separator: so the names of all files below come in their order
	mode fs.FileMode
}

func (e entry) name() string { return strings.TrimSuffix(e.key, string(filepath.Separator)) }

// next returns the next entry, in the order of the keys, or false at the end. After an error, there may be more.
func (f *folderNames) next() (entry, bool, error) {
	if len(f.list) == 0 {
		if f.ended {
			return entry{}, false, nil
		}
		if err := f.read(); err != nil {
			f.ended = true // the rest would come without order
			return entry{}, false, err
		}
		if len(f.list) == 0 {
			return entry{}, false, nil
		}
	}
	e := f.list[0]
	f.list[0] = entry{}
	f.list = f.list[1:]
	return e, true, nil
}

// read lists the first entries that were not yet listed.
func (f *folderNames) read() error {
	d, err := openNames(f.dir)
	if err != nil {
		return err
	}
	defer d.Close()
	first := f.reads == 0
	f.reads++
	f.ended = true
	list := f.list[:0]
	bound := "" // unless empty, what does not come before it has to wait for another pass
	cut := func(n int) {
		slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		list = slices.CompactFunc(list, func(a, b entry) bool { return a.key == b.key }) // it was renamed meanwhile
		if len(list) > n {
			f.ended = false
			clear(list[n:])
			list = list[:n]
			bound = list[n-1].key
		}
	}
	for err == nil {
		var entries []fs.DirEntry
		entries, err = d.ReadDir(512)
		for _, e := range entries {
			key := e.Name()
			if e.IsDir() {
				key += string(filepath.Separator)
			}
			if !first && key <= f.last || !f.want(e) {
				continue
			}
			if bound != "" && key >= bound {
				f.ended = false
				continue
			}
			list = append(list, entry{key, e.Type()})
			if len(list) >= 2*f.most {
				cut(f.most)
			}
		}
	}
	cut(f.most)
	if len(list) > 0 {
		f.last = list[len(list)-1].key
	}
	f.list = list
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
