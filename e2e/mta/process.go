// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Nobody is the user and group that filters run as, and that own the mailboxes: Debian's nobody and nogroup.
const Nobody = 65534

// Patience is how long a server may take to do something before that is an error. It is no measure of anything.
const Patience = 2 * time.Minute

// A Process is a program that runs until [Process.Stop], or until the program that began it ends.
type Process struct {
	Cmd    *exec.Cmd
	output buffer
	leash  io.Closer // if closing it is what ends the process
	done   chan struct{}
	err    error // of Wait; to be read when done is closed
}

// A buffer keeps what a process says.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Start begins a program, as the user with the given number and the group of the same number, 0 for root. The kernel ends it
// when this program ends.
func Start(user uint32, program string, args ...string) (*Process, error) {
	p := &Process{Cmd: exec.Command(program, args...), done: make(chan struct{})}
	p.Cmd.Stdout, p.Cmd.Stderr = &p.output, &p.output
	p.Cmd.WaitDelay = time.Second // its own children may have its output open
	p.Cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGTERM}
	if user != 0 {
		p.Cmd.SysProcAttr.Credential = &syscall.Credential{Uid: user, Gid: user}
	}
	return p, p.start()
}

// StartLeashed is Start for a program that runs as root and takes on other users in between, which the kernel takes for a reason to forget
// that it is to end it: a shell does so, when its standard input is closed.
func StartLeashed(program string, args ...string) (*Process, error) {
	const script = `setsid "$@" < /dev/null & p=$!; read -r _; kill $p; wait $p`
	p := &Process{Cmd: exec.Command("sh", append([]string{"-c", script, "sh", program}, args...)...), done: make(chan struct{})}
	p.Cmd.Stdout, p.Cmd.Stderr = &p.output, &p.output
	p.Cmd.WaitDelay = time.Second
	p.Cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var err error
	if p.leash, err = p.Cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return p, p.start()
}

func (p *Process) start() error {
	if err := p.Cmd.Start(); err != nil {
		return err
	}
	go func() {
		p.err = p.Cmd.Wait()
		close(p.done)
	}()
	return nil
}

// Output returns what the process has said, to standard output and standard error.
func (p *Process) Output() string { return p.output.String() }

// Running reports whether the process has not ended.
func (p *Process) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Kill ends the process as a crash does, and waits until it is gone.
func (p *Process) Kill() {
	p.Cmd.Process.Kill()
	<-p.done
}

// Stop asks the process to end, and returns how it did. If it does not within Patience, that is an error.
func (p *Process) Stop() error {
	if p.leash != nil {
		p.leash.Close()
	} else if p.Running() {
		p.Cmd.Process.Signal(syscall.SIGTERM)
	}
	select {
	case <-p.done:
		return p.err
	case <-time.After(Patience):
		p.Kill()
		return errors.New("it had to be killed")
	}
}

// Memory returns what /proc says about the memory of the process, in bytes: VmRSS is what it has now, VmHWM the most that it had.
func (p *Process) Memory(field string) (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/%d/status has no %s", p.Cmd.Process.Pid, field)
}

// Until waits for ok, and fails with what if that takes longer than Patience.
func Until(what string, ok func() bool) error {
	for end := time.Now().Add(Patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("waited %v in vain for: %s", Patience, what)
		}
	}
	return nil
}

// FreePort returns a port of the loopback interface that nobody listened to a moment ago.
func FreePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Listening waits until somebody listens to an address, "127.0.0.1:25" or the path of a socket, or p has ended.
func (p *Process) Listening(address string) error {
	network := "tcp4"
	if filepath.IsAbs(address) {
		network = "unix"
	}
	err := Until("somebody who listens to "+address, func() bool {
		c, err := net.Dial(network, address)
		if err == nil {
			c.Close()
		}
		return err == nil || !p.Running()
	})
	if err == nil && !p.Running() {
		err = errors.New("it has ended")
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", p.Cmd.Path, err, p.Output())
	}
	return nil
}

// Build builds the command bidilink of the module that this one belongs to, as a file that every user can run.
func Build(program string) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/bidilink/bidilink").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	c := exec.Command("go", "build", "-o", program, "./cmd/bidilink")
	c.Dir = strings.TrimSpace(string(root))
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return os.Chmod(program, 0o755)
}

// TempDir makes a folder that every user can look into; the folder for temporary files has to be one, too.
func TempDir() (string, error) {
	dir, err := os.MkdirTemp("", "bidilink-mta-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	return dir, err
}

// Time returns the processor time that the process has used: in user mode and in the kernel.
func (p *Process) Time() (time.Duration, error) {
	// The clock of a process by its number, with all threads, also those that have ended (clock_getcpuclockid(3)).
	const sched = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^p.Cmd.Process.Pid<<3|sched), &t); err != nil {
		return 0, fmt.Errorf("processor time of %s: %w", p.Cmd.Path, err)
	}
	return time.Duration(t.Nano()), nil
}

// TreeTime returns the processor time of the process and of all that it has started, which has to be its children, and theirs only as far as they have ended. It is
// exact to a hundredth of a second for each.
func (p *Process) TreeTime() (time.Duration, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	type process struct {
		parent int
		ticks  int64
	}
	all := map[int]process{}
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil {
			return 0, err
		}
		// The name, in parentheses, may hold anything. Behind it, the parent is the second field; utime, stime, cutime and cstime are from the 12th on (proc(5)).
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		if len(fields) < 15 {
			return 0, fmt.Errorf("%s: %q", name, data)
		}
		var q process
		if q.parent, err = strconv.Atoi(fields[1]); err != nil {
			return 0, err
		}
		for _, f := range fields[11:15] {
			n, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				return 0, err
			}
			q.ticks += n
		}
		all[pid] = q
	}
	var ticks int64
	for pid := range all {
		for up := pid; up > 1; up = all[up].parent {
			if up == p.Cmd.Process.Pid {
				ticks += all[pid].ticks
				break
			}
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}
