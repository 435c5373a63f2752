// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"strings"
)

// A Direction is that of the paragraph round a link, or of an isolate.
type Direction uint8

const (
	Unknown Direction = iota // counts as LTR
	LTR                      // from left to right
	RTL                      // from right to left
)

// String returns "unknown", "ltr" or "rtl".
func (d Direction) String() string {
	switch d {
	case LTR:
		return "ltr"
	case RTL:
		return "rtl"
	}
	return "unknown"
}

// ParseDirection returns the direction of "ltr" or "rtl".
func ParseDirection(name string) (Direction, error) {
	switch name {
	case "ltr":
		return LTR, nil
	case "rtl":
		return RTL, nil
	}
	return 0, fmt.Errorf("display: unknown direction %q: want ltr or rtl", name)
}

// An Order is a rule for where the fields of a link are displayed. The package comment shows what each does.
type Order uint8

const (
	Constant    Order = iota // fields from left to right: PRI 185 option 1, and draft-duerst-iri-bidi. The default
	Embedding                // as a whole in left-to-right text: RFC 3987 §4.1, WHATWG URL
	Environment              // fields in the direction of the paragraph: PRI 185 option 2
	Content                  // fields from right to left if there is a right-to-left character: PRI 185 option 3
	TLD                      // fields from right to left if the top-level domain is right-to-left: PRI 185 option 4
)

var orderNames = [...]string{"constant", "embedding", "environment", "content", "tld"}

// String returns the name of o: "constant", "embedding", "environment", "content" or "tld".
func (o Order) String() string {
	if int(o) < len(orderNames) {
		return orderNames[o]
	}
	return fmt.Sprintf("Order(%d)", uint8(o))
}

// ParseOrder returns the order of a name, as [Order.String] gives it.
func ParseOrder(name string) (Order, error) {
	for i, n := range orderNames {
		if n == name {
			return Order(i), nil
		}
	}
	return 0, fmt.Errorf("display: unknown order %q: want one of %s", name, strings.Join(orderNames[:], ", "))
}
