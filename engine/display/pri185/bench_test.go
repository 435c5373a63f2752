// SPDX-License-Identifier: MIT

package pri185

import (
	"strings"
	"testing"
)

func BenchmarkFileNames(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"prose", "Most of a text has neither file names nor links, and ends in a full stop. "},
		{"slashes", "Most of a text (in עברית) has names and/or links only here and there. "},
		{"Hebrew", "ברוב הטקסט אין שמות ו/או קבצים, ובסופו נקודה. "},
		{"Chinese", "大部分文字既没有文件名，也没有链接／א/，以句号结尾。"},
		{"names", `C:\מסמכים\report.txt, /home/a/قائمة.txt. `},
		{"hostile", "http://·://a.com·/א:"},
	} {
		text := strings.Repeat(c.text, 1+10_000/len(c.text))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				for range FileNames(text) {
				}
			}
		})
	}
}
