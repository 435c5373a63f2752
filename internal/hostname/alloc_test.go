// SPDX-License-Identifier: MIT

package hostname

import "testing"

func TestAllocs(t *testing.T) {
	buf := make([]byte, 0, 256)
	for _, h := range benchHosts {
		if h.name == "slow" {
			continue // x/net/idna allocates
		}
		if n := testing.AllocsPerRun(10, func() { sink = Classify(h.host) }); n != 0 {
			t.Errorf("Classify(%q) allocates %v times", h.host, n)
		}
		if n := testing.AllocsPerRun(10, func() { AppendASCII(buf, h.host) }); n != 0 {
			t.Errorf("AppendASCII(%q) allocates %v times", h.host, n)
		}
	}
}
