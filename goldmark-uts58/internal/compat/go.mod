module github.com/bidilink/bidilink/goldmark-uts58/internal/compat

go 1.26.0

require (
	github.com/bidilink/bidilink v0.0.0
	github.com/yuin/goldmark v1.8.7
	github.com/yuin/goldmark-emoji v1.0.6
	github.com/yuin/goldmark-highlighting/v2 v2.0.0-20230729083705-37449abec8cc
)

require (
	github.com/alecthomas/chroma/v2 v2.2.0 // indirect
	github.com/dlclark/regexp2 v1.7.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/bidilink/bidilink => ../../..
