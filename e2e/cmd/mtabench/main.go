// SPDX-License-Identifier: MIT

//go:build linux

// Command mtabench measures how many messages a second go through Postfix and bidilink milter, and through Postfix and a milter on the same
// protocol library that replaces the body with itself: in turns, in one run. It has to run as root.
//
//	go run ./cmd/mtabench
//	go run ./cmd/mtabench -messages 1000 -rounds 9 -connections 20 -kb 20
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/bidilink/bidilink/e2e/mta"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "milter" && os.Args[2] == "--listen" { // as mta.StartMilter calls it
		fmt.Fprintln(os.Stderr, "mtabench:", serve(os.Args[3]))
		os.Exit(2)
	}
	messages := flag.Int("messages", 400, "messages of a run")
	rounds := flag.Int("rounds", 9, "runs of each")
	connections := flag.Int("connections", 8, "SMTP connections at once")
	kB := flag.Int("kb", 20, "size of a message in kB")
	tcp := flag.Bool("tcp", false, "milters at TCP ports instead of Unix sockets")
	flag.Parse()
	if *messages < 1 || *rounds < 1 || *connections < 1 || *kB < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "mtabench: the numbers have to be positive, and there are no other arguments")
		os.Exit(2)
	}
	if err := measure(*messages, *rounds, *connections, *kB, *tcp); err != nil {
		fmt.Fprintln(os.Stderr, "mtabench:", err)
		os.Exit(2)
	}
}

// A contender is a way through Postfix.
type contender struct {
	name   string
	milter *mta.Milter
	rates  []float64 // messages a second
}

func measure(messages, rounds, connections, kB int, tcp bool) (err error) {
	dir, err := mta.TempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "bidilink")
	if err := mta.Build(program); err != nil {
		return err
	}
	self := filepath.Join(dir, "mtabench") // where every user can run it
	if err := copyFile(self, "/proc/self/exe"); err != nil {
		return err
	}
	contenders := []*contender{{name: "bidilink milter"}, {name: "replaces the body with itself"}, {name: "no milter"}}
	var config mta.Config
	for i, c := range contenders {
		port, err := mta.FreePort()
		if err != nil {
			return err
		}
		l := mta.Listener{Port: port}
		if i < 2 {
			program := []string{program, self}[i]
			args := [][]string{{"--socket-mode", "0666"}, nil}[i]
			if tcp {
				c.milter, err = mta.StartMilter(program)
			} else {
				c.milter, err = mta.StartMilterUnix(dir, program, args...)
			}
			if err != nil {
				return err
			}
			defer c.milter.Process().Stop()
			l.Options = []string{"smtpd_milters=" + c.milter.Address()}
		}
		config.Listeners = append(config.Listeners, l)
	}
	p, err := mta.StartPostfix(filepath.Join(dir, "postfix"), config)
	if err != nil {
		return err
	}
	defer p.Stop()
	before, _ := mta.Message(0, kB)
	msg := mta.CRLF([]byte(before))
	for round := -1; round < rounds; round++ { // the first one warms up
		for i := range contenders {
			n := i
			if round&1 == 1 {
				n = len(contenders) - 1 - i
			}
			begin := time.Now()
			err := mta.Load(p.Address(n), connections, mta.Discard, messages, func(int) []byte { return msg }, func(int) {})
			if err != nil {
				return fmt.Errorf("%s: %w", contenders[n].name, err)
			}
			if d := time.Since(begin); round >= 0 {
				contenders[n].rates = append(contenders[n].rates, float64(messages)/d.Seconds())
			}
			if err := mta.Until("an empty queue", func() bool { left, err := p.Queue(); return err == nil && left == 0 }); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%s %s/%s, %d processors, %d bytes a message, %d connections, %d rounds of %d messages\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), len(msg), connections, rounds, messages)
	fmt.Println("| through Postfix with | messages/s, median | lowest to highest | processor time of the milter, ms a message | most memory, MB |")
	fmt.Println("|---|---:|---:|---:|---:|")
	for _, c := range contenders {
		busy, memory := "", ""
		if c.milter != nil {
			t, err := c.milter.Process().Time()
			if err != nil {
				return err
			}
			m, err := c.milter.Process().Memory("VmHWM")
			if err != nil {
				return err
			}
			busy = fmt.Sprintf("%.2f", t.Seconds()*1000/float64((rounds+1)*messages))
			memory = fmt.Sprintf("%.0f", float64(m)/1e6)
		}
		fmt.Printf("| %s | %.0f | %.0f to %.0f | %s | %s |\n", c.name, median(c.rates), slices.Min(c.rates), slices.Max(c.rates), busy, memory)
	}
	ours, other := contenders[0].rates, contenders[1].rates
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / other[i]
	}
	fmt.Printf("\nRatio of the medians %.2f; of the runs of a round %.2f (median), %.2f to %.2f.\n", median(ours)/median(other), median(ratios), slices.Min(ratios), slices.Max(ratios))
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Printf("Load of the machine in the end, 1, 5 and 15 minutes: %s.\n", strings.Join(strings.Fields(string(load))[:3], " "))
	}
	return nil
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o755); err != nil {
		return err
	}
	return os.Chmod(to, 0o755)
}
