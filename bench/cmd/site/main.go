// SPDX-License-Identifier: MIT

//go:build unix

// Command site makes a folder of pages and measures what bidilink html does with it: pages a second, use of the processors, and the
// most memory that it had.
//
//	go run ./cmd/site                  # 10 000 pages of 20 kB
//	go run ./cmd/site -check           # exit 1 if it took more than 100 MB
//	go run ./cmd/site -pages 1000 -dir /mnt/x
package main

import (
	"errors"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/bidilink/bidilink/bench/corpus"
)

// memoryGoal is the most memory that a run may take, in bytes.
const memoryGoal = 100e6

func main() {
	pages := flag.Int("pages", 10_000, "number of pages")
	size := flag.Int("size", 20_000, "least size of a page in bytes")
	dir := flag.String("dir", "", "where the folder is made, and removed in the end; the place for temporary files by default")
	check := flag.Bool("check", false, "exit 1 if a run took more than 100 MB")
	fill := flag.String("fill", "", "only make the pages, in this folder")
	flag.Parse()
	if *fill != "" {
		if err := write(*fill, *pages, *size); err != nil {
			fmt.Fprintln(os.Stderr, "site:", err)
			os.Exit(2)
		}
		return
	}
	ok, err := measure(*dir, *pages, *size)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(2)
	}
	if *check && !ok {
		os.Exit(1)
	}
}

func measure(dir string, pages, size int) (ok bool, err error) {
	if dir, err = os.MkdirTemp(dir, "bidilink-site-"); err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.Abs(dir); err != nil {
		return false, err
	}
	program, site := filepath.Join(dir, "bidilink"), filepath.Join(dir, "site")
	if err := build(program); err != nil {
		return false, err
	}
	// In a process of its own: what this one has in memory would count for those that it begins.
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	c := exec.Command(self, "-fill", site, "-pages", fmt.Sprint(pages), "-size", fmt.Sprint(size))
	if out, err := c.CombinedOutput(); err != nil {
		return false, fmt.Errorf("making the pages: %w\n%s", err, out)
	}
	total, err := length(site)
	if err != nil {
		return false, err
	}
	fmt.Printf("%s %s/%s, %d processors, %d pages, %.1f MB\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), pages, float64(total)/1e6)
	fmt.Println("| run | s | pages/s | MB/s | processors used | pages per processor second | most memory, MB |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|")
	ok = true
	for _, args := range [][]string{
		{"--check"}, {"--check", "-j", "1"}, {"--check", "--verify"}, {"-d"}, {"-o", filepath.Join(dir, "out")}, {"-w"}, {"-w"},
	} {
		name := strings.ReplaceAll(strings.Join(args, " "), dir+string(filepath.Separator), "")
		c := exec.Command(program, append([]string{"html", "-q", site}, args...)...)
		var errs strings.Builder
		c.Stderr = &errs
		begin := time.Now()
		err := c.Run()
		d := time.Since(begin).Seconds()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
			return false, fmt.Errorf("%s: %w\n%s", name, err, errs.String())
		}
		s := c.ProcessState
		memory := float64(s.SysUsage().(*syscall.Rusage).Maxrss) * 1024
		if runtime.GOOS == "darwin" {
			memory /= 1024
		}
		ok = ok && memory < memoryGoal
		used := (s.UserTime() + s.SystemTime()).Seconds()
		fmt.Printf("| `%s` | %.1f | %.0f | %.1f | %.2f | %.0f | %.0f |\n", name, d, float64(pages)/d, float64(total)/1e6/d, used/d, float64(pages)/used, memory/1e6)
	}
	return ok, nil
}

// build builds bidilink in its own module, which has more requirements than this one.
func build(program string) error {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/bidilink/bidilink").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	c := exec.Command("go", "build", "-o", program, "./cmd/bidilink")
	c.Dir = strings.TrimSpace(string(root))
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// length returns how many bytes the files below dir have.
func length(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}

// write makes the pages, of the paragraphs of all corpora in turn, a hundred in a folder.
func write(dir string, pages, size int) error {
	corpora := corpus.All()
	at := make([]int, len(corpora))
	for i := range pages {
		var b strings.Builder
		fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Page %d</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n<body>\n<nav><ul>", i)
		for j := range 10 {
			fmt.Fprintf(&b, "<li><a href=\"/%d/\">Section %d</a></li>", j, j)
		}
		b.WriteString("</ul></nav>\n<main>\n")
		for k := i; b.Len() < size; k++ {
			c := corpora[k%len(corpora)]
			text := html.EscapeString(c.Paragraphs[at[k%len(at)]%len(c.Paragraphs)].Text)
			at[k%len(at)]++
			fmt.Fprintf(&b, "<h2 id=\"s%d\">Part <em>%d</em></h2>\n<p class=\"text\">%s</p>\n", k, k, text)
		}
		b.WriteString("</main>\n</body>\n</html>\n")
		folder := filepath.Join(dir, fmt.Sprint(i/100))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("page-%d.html", i)), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
