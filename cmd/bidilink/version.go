// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/internal/uba"
)

// A build says what the program is made of.
type build struct {
	Version    string `json:"version"`    // of the module; "(devel)" if it was not built as a module of a version
	Revision   string `json:"revision"`   // of the repository; "" if it is not known
	Time       string `json:"time"`       // of the revision, RFC 3339; "" if it is not known
	Modified   bool   `json:"modified"`   // the files were not all those of the revision
	Go         string `json:"go"`         // the toolchain
	OS         string `json:"os"`         // as GOOS has it
	Arch       string `json:"arch"`       // as GOARCH has it
	UTS58      string `json:"uts58"`      // the version of Link_Term, Link_Bracket and Link_Email
	UAX9       string `json:"uax9"`       // the version of Unicode of the bidi classes
	IDNA       string `json:"idna"`       // the version of Unicode of UTS #46
	SuffixList string `json:"suffixList"` // the public suffix list: source, revision, date
}

func versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print our version, and those of Unicode and of the public suffix list",
		Long: `version prints the version of the program and what it was built from, and the versions of the data in it: of UTS #58, which says where links end; of the
classes of the bidi algorithm (UAX #9), which says in which order they are seen; of IDNA (UTS #46), which says what a host is; and of the public
suffix list.

With --json, it writes one object with the members

  version     of the module, or "(devel)"
  revision    of the repository, "" if it is not known
  time        of the revision, "" if it is not known
  modified    whether the files were not all those of the revision
  go          the version of Go that built it
  os, arch    what it was built for
  uts58       the version of Unicode of the link properties
  uax9        the version of Unicode of the bidi classes
  idna        the version of Unicode of IDNA
  suffixList  the public suffix list: its source, revision and date`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			b := buildOf(info)
			if asJSON {
				out := json.NewEncoder(c.OutOrStdout())
				out.SetEscapeHTML(false)
				out.SetIndent("", "  ")
				return out.Encode(b)
			}
			return b.write(c.OutOrStdout())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write a JSON object")
	return c
}

// buildOf returns what info, which may be nil, says about the program.
func buildOf(info *debug.BuildInfo) build {
	b := build{
		Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		UTS58: engine.UnicodeVersion, UAX9: uba.UnicodeVersion, IDNA: hostname.IDNAVersion, SuffixList: hostname.PSLVersion,
	}
	if info == nil {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// write writes b for people.
func (b build) write(w io.Writer) error {
	from := "revision unknown"
	if b.Revision != "" {
		from = "revision " + b.Revision
		if b.Time != "" {
			from += " of " + b.Time
		}
		if b.Modified {
			from += ", modified"
		}
	}
	_, err := fmt.Fprintf(w, "bidilink %s\nbuilt with %s for %s/%s, %s\nUTS #58 %s\nUAX #9: Unicode %s\nIDNA: Unicode %s\npublic suffix list: %s\n",
		b.Version, b.Go, b.OS, b.Arch, from, b.UTS58, b.UAX9, b.IDNA, b.SuffixList)
	return err
}

// ourVersion returns the version that the program was built from.
func ourVersion() string {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info).Version
}
