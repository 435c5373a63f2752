// SPDX-License-Identifier: MIT

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxNames is how many names of a folder are kept in memory, in one pass over it; up to twice as many are there while it is read. A folder
// that has more is read again for each maxNames of them.
const maxNames = 1 << 15

// folderNames gives what is in a folder, of which it keeps a bounded number of names.
type folderNames struct {
	dir  *os.Root
	want func(name string, mode fs.FileMode) bool // what to give
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

// more reports whether [folderNames.next] may give one more.
func (f *folderNames) more() bool { return len(f.list) > 0 || !f.ended }

// read lists the first entries that were not yet listed, or as many of them as can be read.
func (f *folderNames) read() error {
	first := f.reads == 0
	f.reads++
	f.ended = true
	list := f.list[:0]
	bound := "" // unless empty, what does not come before it has to wait for another pass
	cut := func() {
		slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.key, b.key) })
		list = slices.CompactFunc(list, func(a, b entry) bool { return a.key == b.key }) // it was renamed meanwhile
		if len(list) > f.most {
			f.ended = false
			clear(list[f.most:])
			list = list[:f.most]
			bound = list[f.most-1].key
		}
	}
	var b []byte
	err := readNames(f.dir, func(name []byte, mode fs.FileMode) {
		b = append(b[:0], name...)
		if mode.IsDir() {
			b = append(b, filepath.Separator)
		}
		switch {
		case !first && string(b) <= f.last:
			return
		case bound != "" && string(b) >= bound:
			f.ended = false
			return
		}
		key := string(b)
		if !f.want(key[:len(name)], mode) {
			return
		}
		if list = append(list, entry{key, mode}); len(list) >= 2*f.most {
			cut()
		}
	})
	cut()
	if len(list) > 0 {
		f.last = list[len(list)-1].key
	}
	f.list = list
	return err
}
