// SPDX-License-Identifier: MIT

//go:build unix

// Command site makes a folder of pages and measures what bidilink html does with it: pages a second, use of the processors, and the
// most memory that it had.
//
//	go run ./cmd/site                  # 10 000 pages of 20 kB
//	go run ./cmd/site -check           # exit 1 if it took more than 100 MB
//	go run ./cmd/site -pages 1000 -dir /mnt/x
//	go run ./cmd/site -pages 100000 -size 2000 -folder 0 -runs "--check,-o,-o,-w,-w"  # small files, all in one folder
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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/bidilink/bidilink/bench/corpus"
)

// memoryGoal is the most memory that a run may take, in bytes.
const memoryGoal = 100e6

func main() {
	pages := flag.Int("pages", 10_000, "number of pages")
	size := flag.Int("size", 20_000, "least size of a page in bytes")
	dir := flag.String("dir", "", "where the folder is made, and removed in the end; the place for temporary files by default")
	check := flag.Bool("check", false, "exit 1 if a run took more than 100 MB")
	folder := flag.Int("folder", 100, "number of pages in a folder; 0: all in one")
	runs := flag.String("runs", "--check,--check -j 1,--check --verify,-d,-o,-o,-w,-w", "the runs: flags of bidilink html, where -o is given its folder")
	fill := flag.String("fill", "", "only make the pages, in this folder")
	flag.Parse()
	if *fill != "" {
		if err := write(*fill, *pages, *size, *folder); err != nil {
			fmt.Fprintln(os.Stderr, "site:", err)
			os.Exit(2)
		}
		return
	}
	ok, err := measure(*dir, *pages, *size, *folder, strings.Split(*runs, ","))
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(2)
	}
	if *check && !ok {
		os.Exit(1)
	}
}

func measure(dir string, pages, size, folder int, runs []string) (ok bool, err error) {
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
	c := exec.Command(self, "-fill", site, "-pages", fmt.Sprint(pages), "-size", fmt.Sprint(size), "-folder", fmt.Sprint(folder))
	if out, err := c.CombinedOutput(); err != nil {
		return false, fmt.Errorf("making the pages: %w\n%s", err, out)
	}
	total, err := length(site)
	if err != nil {
		return false, err
	}
	where := "in one folder"
	if folder > 0 {
		where = fmt.Sprintf("%d in a folder", folder)
	}
	fmt.Printf("%s %s/%s, %d processors, %d pages, %s, %.1f MB\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), pages, where, float64(total)/1e6)
	fmt.Println("| run | s | pages/s | MB/s | processors used | disk busy, % | pages per processor second | most memory, MB |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|")
	ok = true
	done := map[string]bool{}
	for _, flags := range runs {
		args, name := strings.Fields(flags), "`"+flags+"`"
		if done[flags] {
			name += " again"
		}
		done[flags] = true
		if slices.Contains(args, "-o") {
			args = slices.Insert(args, slices.Index(args, "-o")+1, filepath.Join(dir, "out"))
		}
		c := exec.Command(program, append([]string{"html", "-q", site}, args...)...)
		var errs strings.Builder
		c.Stderr = &errs
		begin, busy := time.Now(), diskTime(dir)
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
		disk := ""
		if busy >= 0 {
			disk = fmt.Sprintf("%.0f", 100*(diskTime(dir)-busy).Seconds()/d)
		}
		fmt.Printf("| %s | %.1f | %.0f | %.1f | %.2f | %s | %.0f | %.0f |\n", name, d, float64(pages)/d, float64(total)/1e6/d, used/d, disk, float64(pages)/used, memory/1e6)
	}
	return ok, nil
}

// diskTime returns how long the disk that dir is on had something to do, for whomever, as Linux counts it (field 10 of Documentation/admin-guide/iostats.rst), or a negative
// time if that is not known.
func diskTime(dir string) time.Duration {
	info, err := os.Stat(dir)
	if err != nil {
		return -1
	}
	dev := uint64(info.Sys().(*syscall.Stat_t).Dev)
	data, err := os.ReadFile("/proc/diskstats")
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 13 || f[0] != fmt.Sprint(unix.Major(dev)) || f[1] != fmt.Sprint(unix.Minor(dev)) {
			continue
		}
		ms, err := strconv.ParseInt(f[12], 10, 64)
		if err != nil {
			return -1
		}
		return time.Duration(ms) * time.Millisecond
	}
	return -1
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

// write makes the pages, of the paragraphs of all corpora in turn, perFolder in a folder, or all in one.
func write(dir string, pages, size, perFolder int) error {
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
		folder := dir
		if perFolder > 0 {
			folder = filepath.Join(dir, fmt.Sprint(i/perFolder))
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("page-%d.html", i)), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
