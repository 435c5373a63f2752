# The commands of .ci/run, one at a time. UCD is a folder with the published files of UTS #58.
UCD ?= $(BIDILINK_UCD)
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: all test lint generate race conformance cross mta fuzz bench ci
all: test lint

test:
	go test ./...

lint:
	test -z "$$(gofmt -l .)"
	go vet ./...
	go run $(STATICCHECK) ./...
	go mod tidy -diff

generate:
	BIDILINK_UCD=$(UCD) go generate ./...

race:
	go test -race ./...

conformance:
	@test -n "$(UCD)" || { echo "conformance: set BIDILINK_UCD to a folder with the files of UTS #58" >&2; exit 2; }
	BIDILINK_UCD=$(UCD) go test ./engine ./internal/...

cross:
	GOOS=darwin go vet ./... && GOOS=windows go vet ./... && GOARCH=386 go vet ./...

mta: # as root
	cd e2e && BIDILINK_MTA=1 go test -count=1 -v ./...

fuzz:
	.ci/fuzz 360

bench:
	cd bench && go run ./cmd/compare

ci:
	.ci/run
