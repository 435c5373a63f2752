// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

// It serves until it is told to stop.
func TestServeCommand(t *testing.T) {
	t.Setenv(tokenVariable, "a-token-of-this-test")
	read, write := io.Pipe()
	code := make(chan int, 1)
	var errs strings.Builder
	go func() {
		code <- run([]string{"serve", "--listen", "127.0.0.1:0"}, strings.NewReader(""), write, &errs)
		write.Close()
	}()
	url, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err, errs.String())
	}
	url = strings.TrimSpace(url)
	for token, want := range map[string]int{"": http.StatusUnauthorized, "a-token-of-this-test": http.StatusOK} {
		r, err := http.NewRequest("POST", url+"v1/text", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != want {
			t.Errorf("token %q: %s", token, a.Status)
		}
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != exitDone || errs.String() != "" {
		t.Errorf("exit %d, %s", got, errs.String())
	}
}
