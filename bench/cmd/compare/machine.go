// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// A machine is what the figures were measured on. What the system does not tell is empty.
type machine struct {
	Go        string
	Processor string
	Cores     int
	Kernel    string
	Load      [2]string // before and after: the mean number of processes that wanted a core in the last minute
}

func thisMachine() machine {
	m := machine{
		Go:        runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		Processor: "unknown processor",
		Cores:     runtime.NumCPU(),
		Kernel:    firstLine("/proc/sys/kernel/osrelease"),
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, value, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == "model name" {
			m.Processor = strings.TrimSpace(value)
			break
		}
	}
	return m
}

// load returns the load of the last minute.
func load() string {
	one, _, _ := strings.Cut(firstLine("/proc/loadavg"), " ")
	return one
}

func firstLine(path string) string {
	data, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}

func (m machine) String() string {
	s := fmt.Sprintf("%s, %s, %d cores", m.Go, m.Processor, m.Cores)
	if m.Kernel != "" {
		s += ", kernel " + m.Kernel
	}
	if m.Load[0] != "" {
		s += fmt.Sprintf(", load %s before and %s after", m.Load[0], m.Load[1])
	}
	return s
}
