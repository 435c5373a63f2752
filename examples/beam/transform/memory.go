// SPDX-License-Identifier: MIT

package transform

import (
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"
)

// DefaultMemory is the default of Folders.Memory.
const DefaultMemory = 2 << 30

// perByte is the memory that a file takes for each of its bytes: itself, what becomes of it, what lies between, and what is not collected yet. Measured with pages of HTML: 5.5.
const perByte = 6

// fixed is the memory in bytes that a file takes however short it is.
const fixed = 1 << 20

// zipRatio is what a byte of deflate can stand for at most.
const zipRatio = 1032

// budgets are the semaphores of this process, by the memory that they give out: one for all DoFns of a job.
var budgets sync.Map

func budget(memory int64) *semaphore.Weighted {
	s, _ := budgets.LoadOrStore(memory, semaphore.NewWeighted(memory))
	return s.(*semaphore.Weighted)
}

// weight returns the memory in bytes that a file takes, of which no more than longest bytes are in memory at once. What takes more than there is takes all.
func weight(file *File, longest, memory int64) int64 {
	n := longest
	switch size := file.Size; {
	case size < 0:
	case file.Kind != WARC || !strings.HasSuffix(strings.ToLower(file.Name), ".gz"):
		n = min(n, size)
	case size < longest/zipRatio:
		n = size * zipRatio
	}
	return min(n*perByte+fixed, memory)
}
