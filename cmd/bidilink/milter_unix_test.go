// SPDX-License-Identifier: MIT

//go:build unix && !(386 || arm || mips || mipsle)

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A testDaemon is the program itself, running as a milter.
type testDaemon struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string // of its log
	mu    sync.Mutex
	log   strings.Builder // the whole of it
}

// startDaemon starts bidilink milter. prepare may change how.
func startDaemon(t *testing.T, prepare func(*exec.Cmd), args ...string) *testDaemon {
	t.Helper()
	d := &testDaemon{t: t, lines: make(chan string, 1000)}
	if os.Geteuid() == 0 {
		args = append(args, "--allow-root")
	}
	d.cmd = exec.Command(os.Args[0], append([]string{"milter"}, args...)...)
	d.cmd.Env = append(os.Environ(), asProgram+"=1")
	if prepare != nil {
		prepare(d.cmd)
	}
	r, err := d.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.cmd.Process.Kill() })
	go func() {
		defer close(d.lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			d.mu.Lock()
			d.log.WriteString(s.Text() + "\n")
			d.mu.Unlock()
			d.lines <- s.Text()
		}
	}()
	return d
}

// wait returns the next line of the log that has all of the words.
func (d *testDaemon) wait(words ...string) string {
	d.t.Helper()
	timeout := time.After(time.Minute)
next:
	for {
		select {
		case line, ok := <-d.lines:
			if !ok {
				d.t.Fatalf("the log ends without %q:\n%s", words, d.text())
			}
			for _, w := range words {
				if !strings.Contains(line, w) {
					continue next
				}
			}
			return line
		case <-timeout:
			d.t.Fatalf("no line with %q in the log:\n%s", words, d.text())
		}
	}
}

func (d *testDaemon) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.log.String()
}

func (d *testDaemon) signal(s os.Signal) {
	d.t.Helper()
	if err := d.cmd.Process.Signal(s); err != nil {
		d.t.Fatal(err)
	}
}

// exit waits for the end, and returns the exit code.
func (d *testDaemon) exit() int {
	for range d.lines {
	}
	d.cmd.Wait()
	return d.cmd.ProcessState.ExitCode()
}

// An mta is a connection to a milter on which packets are written.
type mta struct {
	net.Conn
	t *testing.T
}

func dialMilter(t *testing.T, network, address string) *mta {
	t.Helper()
	c, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	m := &mta{c, t}
	if code, data := m.ask('O', "\x00\x00\x00\x06\x00\x00\x00\x02\x00\x00\x00\x00"); code != 'O' || len(data) != 12 {
		t.Fatalf("%c %q", code, data)
	}
	m.want('C', "client.example.net\x004\x00\x19192.0.2.1\x00", 'c')
	return m
}

func (m *mta) send(code byte, data string) {
	m.t.Helper()
	if _, err := m.Write(append(append(binary.BigEndian.AppendUint32(nil, uint32(len(data)+1)), code), data...)); err != nil {
		m.t.Fatal(err)
	}
}

func (m *mta) receive() (byte, string) {
	m.t.Helper()
	var n uint32
	err := binary.Read(m, binary.BigEndian, &n)
	data := make([]byte, n)
	if err == nil {
		_, err = io.ReadFull(m, data)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return data[0], string(data[1:])
}

func (m *mta) ask(code byte, data string) (byte, string) {
	m.t.Helper()
	m.send(code, data)
	return m.receive()
}

func (m *mta) want(code byte, data string, want byte) {
	m.t.Helper()
	if got, _ := m.ask(code, data); got != want {
		m.t.Fatalf("%c: %c, want %c", code, got, want)
	}
}

// deliver sends a message with a link, and returns its body, or "" if it was accepted at the end of the header.
func (m *mta) deliver(id string) string {
	m.t.Helper()
	m.want('M', "<ann@example.com>\x00", 'c')
	m.want('R', "<ben@example.net>\x00", 'c')
	m.want('L', "Subject\x00our secret\x00", 'c')
	m.want('L', "Content-Type\x00text/html; charset=utf-8\x00", 'c')
	m.send('D', "Ni\x00"+id+"\x00")
	if code, _ := m.ask('N', ""); code == 'a' {
		return ""
	}
	body := "<p>http://secret.example.com/x cy@example.com</p>\r\n"
	m.want('B', body, 'c')
	for code, data := m.ask('E', ""); ; code, data = m.receive() {
		switch code {
		case 'a':
			return body
		case 'b':
			body = data
		default:
			m.t.Fatalf("%c", code)
		}
	}
}

const linkedBody = `<p><a href="http://secret.example.com/x">http://secret.example.com/x</a> <a href="mailto:cy@example.com">cy@example.com</a></p>` + "\r\n"

// get returns what a web page says, and its status.
func get(t *testing.T, url string) (string, int) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), r.StatusCode
}

// TestMilterDaemon goes through the life of a daemon.
func TestMilterDaemon(t *testing.T) {
	dir := t.TempDir()
	sock, config := filepath.Join(dir, "s"), filepath.Join(dir, "c.toml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings := fmt.Sprintf("listen = ['unix:%s']\nsocket-mode = '0640'\nlog-format = 'json'\nmetrics = '127.0.0.1:0'\n", sock)
	write(settings)

	// A socket that nobody listens on any more.
	if l, err := net.ListenUnix("unix", &net.UnixAddr{Name: sock, Net: "unix"}); err != nil {
		t.Fatal(err)
	} else {
		l.SetUnlinkOnClose(false)
		l.Close()
	}
	notify, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "n"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer notify.Close()
	if err := notify.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	state := func(want string) { // the next of these
		t.Helper()
		for b := make([]byte, 100); ; {
			n, err := notify.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(string(b[:n]), want) {
				return
			}
		}
	}

	d := startDaemon(t, func(c *exec.Cmd) { c.Env = append(c.Env, "NOTIFY_SOCKET="+notify.LocalAddr().String()) }, "--config", config)
	var line struct{ Address string }
	if err := json.Unmarshal([]byte(d.wait(`"msg":"metrics"`)), &line); err != nil {
		t.Fatal(err)
	}
	web := "http://" + line.Address
	d.wait(`"msg":"listening"`, sock)
	state("READY=1")
	if info, err := os.Lstat(sock); err != nil || info.Mode() != fs.ModeSocket|0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	m := dialMilter(t, "unix", sock)
	if got := m.deliver("4A1"); got != linkedBody {
		t.Errorf("%q", got)
	}
	var message struct {
		QueueID, Direction, Result, Reason, Level string
		Parts, Changed, Links, Isolated, Bytes    int
		MS                                        *float64
	}
	text := strings.ReplaceAll(d.wait(`"msg":"message"`), "queue_id", "QueueID")
	if err := json.Unmarshal([]byte(text), &message); err != nil {
		t.Fatal(err)
	}
	if message.QueueID != "4A1" || message.Direction != "inbound" || message.Result != "modified" || message.Reason != "" || message.Level != "INFO" || message.Parts != 1 || message.Changed != 1 ||
		message.Links != 2 || message.Isolated != 0 || message.Bytes < 100 || message.MS == nil {
		t.Errorf("%s", text)
	}

	// Another configuration, for new messages.
	write(settings + "[inbound]\nrewrite = false\n")
	d.signal(syscall.SIGHUP)
	d.wait("the configuration was read again")
	state("RELOADING=1")
	state("READY=1")
	if got := m.deliver("4A2"); got != "" {
		t.Errorf("%q", got)
	}
	d.wait(`"queue_id":"4A2"`, `"result":"skipped"`, `"reason":"policy"`)

	// One with an error: the former one stays.
	write("observe = 1\n")
	d.signal(syscall.SIGHUP)
	d.wait(`"level":"ERROR"`, "the former one stays", "c.toml:1:11: observe: ")
	if got := m.deliver("4A3"); got != "" {
		t.Errorf("%q", got)
	}
	write(settings + "max-connections = 3\nobserve = true\n")
	d.signal(syscall.SIGHUP)
	d.wait(`"level":"WARN"`, "when the daemon is started again")
	d.wait("the configuration was read again")
	if got := m.deliver("4A4"); got == linkedBody || got == "" {
		t.Errorf("%q", got)
	}
	d.wait(`"queue_id":"4A4"`, `"reason":"observe"`, `"links":2`)

	page, _ := get(t, web+"/metrics")
	for _, want := range []string{
		`bidilink_messages_total{reason="",result="modified"} 1`, `bidilink_messages_total{reason="",result="unchanged"} 0`, `bidilink_messages_total{reason="policy",result="skipped"} 2`,
		`bidilink_messages_total{reason="observe",result="skipped"} 1`, `bidilink_messages_total{reason="signed",result="skipped"} 0`, `bidilink_links_total{isolated="false"} 2`,
		`bidilink_processing_seconds_count 4`, `bidilink_panics_total 0`, `bidilink_connections 1`, `bidilink_inflight 0`, `bidilink_memory_reserved_bytes 0`,
		`bidilink_config_reloads_total{result="ok"} 2`, `bidilink_config_reloads_total{result="error"} 1`, `bidilink_connection_errors_total 0`, `bidilink_build_info{unicode="17.0.0"`,
	} {
		if !strings.Contains(page, "\n"+want) {
			t.Errorf("metrics: no %s", want)
		}
	}
	if regexp.MustCompile(`example|secret|ann|4A1`).MatchString(page) {
		t.Errorf("metrics:\n%s", page)
	}
	if got, status := get(t, web+"/healthz"); got != "ok\n" || status != 200 {
		t.Errorf("%d %q", status, got)
	}

	// There can be only one.
	other := startDaemon(t, nil, "--listen", "unix:"+sock)
	other.wait("another process listens on it")
	if code := other.exit(); code != 2 {
		t.Errorf("exit %d", code)
	}

	// The end waits for the connection, and for the message on it.
	d.signal(syscall.SIGTERM)
	d.wait(`"msg":"stopping"`)
	state("STOPPING=1")
	if got, status := get(t, web+"/healthz"); status != 503 {
		t.Errorf("%d %q", status, got)
	}
	if got := m.deliver("4A5"); got == "" {
		t.Error("not while stopping")
	}
	m.Close()
	if code := d.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if _, err := os.Lstat(sock); err == nil {
		t.Error("the socket is still there")
	}
	if strings.Contains(d.text(), "example.") || strings.Contains(d.text(), "secret") || strings.Contains(d.text(), "192.0.2") {
		t.Errorf("addresses in the log:\n%s", d.text())
	}
}

// TestMilterStopDelay stops a daemon that goes on taking connections for as long as nothing but another signal ends it, and one whose time is over at once.
func TestMilterStopDelay(t *testing.T) {
	for _, again := range []bool{true, false} {
		sock := filepath.Join(t.TempDir(), "s")
		delay := "1s"
		if again {
			delay = "24h"
		}
		d := startDaemon(t, nil, "--listen", "unix:"+sock, "--metrics", "127.0.0.1:0", "--log-format", "json", "--stop-delay", delay)
		var line struct{ Address string }
		if err := json.Unmarshal([]byte(d.wait(`"msg":"metrics"`)), &line); err != nil {
			t.Fatal(err)
		}
		d.wait(`"msg":"listening"`)
		first := dialMilter(t, "unix", sock)
		d.signal(syscall.SIGTERM)
		d.wait(`"msg":"stopping"`)
		if again {
			if _, status := get(t, "http://"+line.Address+"/healthz"); status != 503 {
				t.Error(status)
			}
			if got := dialMilter(t, "unix", sock).deliver("5A1"); got != linkedBody {
				t.Errorf("a new connection: %q", got)
			}
			d.wait(`"queue_id":"5A1"`, `"result":"modified"`)
			d.signal(syscall.SIGTERM)
			d.wait("stopped with open connections")
		} else {
			d.wait(`"msg":"closing the sockets"`)
			if got := first.deliver("5A2"); got != linkedBody {
				t.Errorf("%q", got)
			}
			first.Close()
			d.wait(`"msg":"stopped"`)
		}
		if code := d.exit(); code != 0 {
			t.Errorf("exit %d", code)
		}
		if _, err := os.Lstat(sock); err == nil {
			t.Error("the socket is still there")
		}
	}
}

// TestMilterActivation hands a socket over, as systemd does.
func TestMilterActivation(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		file, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		d := startDaemon(t, func(c *exec.Cmd) {
			// LISTEN_PID is the id of the process that is started.
			c.Args = append([]string{"sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"`}, c.Args...)
			if c.Path, err = exec.LookPath("sh"); err != nil {
				t.Fatal(err)
			}
			c.ExtraFiles = []*os.File{file}
		})
		if addr == "0.0.0.0:0" {
			d.wait("not a loopback address")
			if code := d.exit(); code != 2 {
				t.Errorf("exit %d", code)
			}
			continue
		}
		d.wait("listening", "socket=inet:"+l.Addr().String())
		if got := dialMilter(t, "tcp", l.Addr().String()).deliver("1"); got != linkedBody {
			t.Errorf("%q", got)
		}
		d.signal(syscall.SIGTERM)
		d.wait("stopping", "connections=1")
		d.signal(syscall.SIGTERM)
		d.wait("stopped with open connections")
		if code := d.exit(); code != 0 {
			t.Errorf("exit %d", code)
		}
	}
}

// TestListenUnix has things in the way of a socket.
func TestListenUnix(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	group := os.Getgid()
	open := func(name string) (net.Listener, error) {
		return socket{path: filepath.Join(dir, name)}.listen(false, socketAccess{0o604, group})
	}
	l, err := open("s")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat("s")
	if err != nil || info.Mode() != fs.ModeSocket|0o604 || int(info.Sys().(*syscall.Stat_t).Gid) != group {
		t.Errorf("%v, %v", info, err)
	}
	if got := socketOf(l); got != "unix:"+dir+"/s" {
		t.Error(got)
	}
	if c, err := net.Dial("unix", "s"); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	if l, err := open("s"); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("%v, %v", l, err)
	}

	// Another one takes its place: that stays.
	if err := os.Remove("s"); err != nil {
		t.Fatal(err)
	}
	second, err := open("s")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if c, err := net.Dial("unix", "s"); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	second.Close()

	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"file": "no socket", "nowhere/s": "no such file"} {
		if l, err := open(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", name, l, err)
		}
	}
	if names, _ := filepath.Glob(".*"); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
	if names, _ := filepath.Glob("*"); len(names) != 1 {
		t.Errorf("left behind: %q", names)
	}
}
