module github.com/bidilink/bidilink/e2e

go 1.26.0

replace github.com/bidilink/bidilink => ..

require (
	github.com/bidilink/bidilink v0.0.0
	github.com/d--j/go-milter v0.10.2
	github.com/emersion/go-msgauth v0.7.0
	golang.org/x/sys v0.49.0
)

require (
	github.com/emersion/go-message v0.18.2 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
