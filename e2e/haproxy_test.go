// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/bidilink/bidilink/e2e/mta"
)

// A replica is a milter of several, with its metrics.
type replica struct {
	*mta.Milter
	health int
}

// replicas starts milters, each second one at a Unix socket, the others at TCP ports.
func replicas(t *testing.T, n int) (list []replica, backends []mta.Backend) {
	t.Helper()
	for i := range n {
		port, err := mta.FreePort()
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"--networks", "192.0.2.0/24", "--metrics", fmt.Sprintf("127.0.0.1:%d", port), "--stop-delay", "2s"}
		var m *mta.Milter
		if i%2 == 0 {
			m, err = mta.StartMilter(program, args...)
		} else {
			m, err = mta.StartMilterUnix(tempDir(t), program, append(args, "--socket-mode", "0666")...)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Process().Stop() }) // it may have been killed
		list = append(list, replica{m, port})
		backends = append(backends, mta.Backend{Address: strings.TrimPrefix(strings.TrimPrefix(m.Address(), "inet:"), "unix:"), Health: port})
	}
	return list, backends
}

// modified returns how many messages the milter has changed since it was started, or -1 if it does not answer.
func (r replica) modified() int {
	resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", r.health))
	if err != nil {
		return -1
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return -1
	}
	sum := 0
	for _, m := range regexp.MustCompile(`(?m)^bidilink_messages_total\{.*result="modified".*\} (\d+)$`).FindAllSubmatch(data, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		sum += n
	}
	return sum
}

// take takes n messages with the numbers from first on out of the mailbox, each of which has to be there once, and returns how many are as they were, and how many
// as they are to be.
func take(t *testing.T, p *mta.Postfix, first, n int, kB func(i int) int) (originals, rewritten int) {
	t.Helper()
	files, err := p.Delivered(n)
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`(?m)^X-Number: (\d+)$`)
	seen := make([]int, n)
	for _, file := range files {
		msg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := number.FindSubmatch(msg)
		if found == nil {
			t.Fatalf("a message without a number: %.300q", msg)
		}
		i, err := strconv.Atoi(string(found[1]))
		if err != nil || i < first || i >= first+n {
			t.Fatalf("a message with the number %s", found[1])
		}
		seen[i-first]++
		before, after := mta.Message(i, kB(i))
		switch got := mta.Sent(msg); {
		case bytes.Equal(got, crlf(before)):
			originals++
		case bytes.Equal(got, crlf(after)):
			rewritten++
		default:
			compare(t, fmt.Sprintf("message %d, neither original nor rewritten", i), got, crlf(after))
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range seen {
		if n != 1 {
			t.Errorf("message %d was delivered %d times", first+i, n)
		}
	}
	return originals, rewritten
}

// Two milters behind HAProxy, with the configuration of examples/postfix. Both work; one that is stopped, and comes back, costs no link; one that is
// killed costs those of the messages that it was at work on, and of their SMTP sessions; without any, mail goes on as it is. Each message is delivered
// once.
func TestHAProxy(t *testing.T) {
	need(t, "postfix", "haproxy")
	const example = "../examples/postfix/haproxy.cfg"
	// The file itself is right behind a global section such as that of Debian, but for the group, which is there with Postfix, and the folder of the socket.
	global := filepath.Join(tempDir(t), "global.cfg")
	section := "global\n    log /dev/log local0\n    chroot " + tempDir(t) + "\n    user haproxy\n    group haproxy\n    daemon\n"
	if err := os.WriteFile(global, []byte(section), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("haproxy", "-c", "-f", global, "-f", example).CombinedOutput(); err != nil || bytes.Contains(out, []byte("[WARNING]")) {
		t.Errorf("haproxy -c: %v\n%s", err, out)
	}
	milters, backends := replicas(t, 2)
	h, address, err := mta.StartHAProxy(tempDir(t), example, backends)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.Stop() // it ends by the signal
		if t.Failed() {
			t.Logf("HAProxy: %s", h.Output())
		}
	})
	p := postfix(t, mta.Config{Main: []string{"smtpd_milters = " + address, "milter_default_action = accept", "maximal_queue_lifetime = 0"}})
	const kB = 20
	first := 0
	// load sends messages, and calls halfway when half of them are sent.
	load := func(n int, halfway func()) (originals, rewritten int) {
		t.Helper()
		var sent atomic.Int64
		err := mta.Load(p.Address(0), connections, mta.Recipient, n, func(i int) []byte {
			before, _ := mta.Message(first+i, kB)
			return crlf(before)
		}, func(int) {
			if sent.Add(1) == int64(n/2) && halfway != nil {
				halfway()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		originals, rewritten = take(t, p, first, n, func(int) int { return kB })
		first += n
		return originals, rewritten
	}
	up := func(r replica) {
		t.Helper()
		was := r.modified()
		err := mta.Until("messages for a milter", func() bool {
			load(2*connections, nil)
			return r.modified() > max(was, 0)
		})
		if err != nil {
			t.Fatal(err)
		}
	}

	originals, rewritten := load(200, nil)
	a, b := milters[0].modified(), milters[1].modified()
	t.Logf("both: %d rewritten, of them %d and %d; %d as they were", rewritten, a, b, originals)
	if originals != 0 || a+b != 200 || a < 40 || b < 40 {
		t.Error("both should do about the same")
	}

	stopped := make(chan error, 1)
	originals, rewritten = load(400, func() { go func() { stopped <- milters[0].Process().Stop() }() })
	if err := <-stopped; err != nil {
		t.Errorf("bidilink milter: %v\n%s", err, milters[0].Process().Output())
	}
	t.Logf("one is stopped: %d rewritten, %d as they were", rewritten, originals)
	if originals != 0 {
		t.Error("a milter that ends in order leaves messages as they are")
	}
	if err := milters[0].Restart(); err != nil {
		t.Fatal(err)
	}
	up(milters[0])

	originals, rewritten = load(400, func() { milters[1].Process().Kill() })
	t.Logf("one is killed: %d rewritten, %d as they were", rewritten, originals)
	// Each connection has at most one SMTP session, of five messages, that has lost its milter.
	if originals > 5*connections {
		t.Errorf("%d messages as they were", originals)
	}
	if originals, _ := load(100, nil); originals != 0 {
		t.Errorf("%d messages as they were, after one was killed", originals)
	}
	if err := milters[1].Restart(); err != nil {
		t.Fatal(err)
	}
	up(milters[1])

	for _, m := range milters {
		m.Process().Kill()
	}
	if originals, rewritten := load(100, nil); originals != 100 {
		t.Errorf("without any: %d as they were, %d rewritten", originals, rewritten)
	}

	// One that hangs gets nothing more as soon as HAProxy has seen that: the kernel still takes connections for it.
	for _, m := range milters {
		if err := m.Restart(); err != nil {
			t.Fatal(err)
		}
		up(m)
	}
	downs := strings.Count(h.Output(), " is DOWN")
	hangs := milters[0].Process().Cmd.Process
	if err := hangs.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	err = mta.Until("HAProxy to see that a milter hangs", func() bool { return strings.Count(h.Output(), " is DOWN") > downs })
	if err != nil {
		t.Error(err)
	} else if originals, _ := load(100, nil); originals != 0 {
		t.Errorf("%d messages as they were, while one hangs", originals)
	}
	if err := hangs.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

// The milters of smtpd_milters are a chain: each of them gets each message, as the one before has left it.
func TestChain(t *testing.T) {
	need(t, "postfix")
	milters, _ := replicas(t, 2)
	p := chains(t, []string{milters[0].Address(), milters[1].Address()})
	const n = 20
	before, _ := mta.Message(0, 20)
	if err := mta.Load(p.Address(0), 4, mta.Discard, n, func(int) []byte { return crlf(before) }, func(int) {}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"result=modified", "result=unchanged"} {
		err := mta.Until("the log", func() bool { return strings.Count(milters[i].Process().Output(), "msg=message") >= n })
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(milters[i].Process().Output(), want); got != n {
			t.Errorf("milter %d: %d times %s, want %d", i, got, want, n)
		}
	}
}

// A name with two addresses: Postfix goes on to the second if nobody takes the connection at the first.
func TestAddresses(t *testing.T) {
	need(t, "postfix")
	milters, _ := replicas(t, 1)
	_, port, _ := strings.Cut(strings.TrimPrefix(milters[0].Address(), "inet:"), ":")
	b, a := mta.Message(0, 20)
	for _, order := range [][2]string{{"127.0.0.1", "127.0.0.2"}, {"127.0.0.2", "127.0.0.1"}} { // it is at the first of these
		p := postfix(t, mta.Config{
			Main:      []string{"smtpd_milters = inet:milters.example.test:" + port},
			Namespace: true, Hosts: fmt.Sprintf("%s milters.example.test\n%s milters.example.test\n", order[0], order[1]),
		})
		compare(t, fmt.Sprint(order), mta.Sent(bytes.ReplaceAll(pass(t, p, 0, crlf(b)), []byte("\r\n"), []byte("\n"))), crlf(a))
	}
}
