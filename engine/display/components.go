// SPDX-License-Identifier: MIT

package display

import (
	"strings"

	"github.com/bidilink/bidilink/engine"
)

// A ComponentKind says what a [Component] is in its link.
type ComponentKind uint8

const (
	UserInfo      ComponentKind = iota // before "@" in a URL
	LocalPart                          // before "@" in an address
	HostLabel                          // between the dots of a host
	PortNumber                         // after the colon; no component in the draft, but it stands beside one
	PathSegment                        // between slashes; of the last segment, what stands before the extension
	FileExtension                      // after the last dot of the last segment
	QueryName                          // before "="
	QueryValue                         // after it
	Fragment                           // after "#"
)

var componentNames = [...]string{"user info", "local part", "label", "port", "segment", "extension", "name", "value", "fragment"}

// String returns "user info", "local part", "label", "port", "segment", "extension", "name", "value" or "fragment".
func (k ComponentKind) String() string {
	if int(k) < len(componentNames) {
		return componentNames[k]
	}
	return "component"
}

// A Component is a part of a link to which the restrictions of draft-ietf-iri-bidi-guidelines, section 3, apply. It
// may be empty.
type Component struct {
	engine.Span               // in the text that the link is in, without delimiters
	Kind        ComponentKind // what it is
	Classes     Classes       // of its characters
}

// AppendComponents appends the components of a link of text, in order: its fields, see [AppendFields], without the scheme, and
// with the extension of a file on its own. The draft leaves it to specifications to divide
// a host, a query or the name of a file; labels, names and values, and extensions are its examples.
//
// What follows the last dot of the last segment is an extension if neither it nor what stands before the dot is empty. A query is not
// divided at ";".
func AppendComponents(dst []Component, text string, l engine.Link) []Component {
	var buf [24]Field
	fields := AppendFields(buf[:0], text, l)
	if !l.Scheme.Empty() {
		fields = fields[1:]
	}
	opaque := l.Host.Empty() && !l.Scheme.Empty() && !strings.HasSuffix(l.Scheme.In(text), "://")
	var host engine.Span
	addressed := false
	if opaque {
		host, addressed = opaqueHost(text, l.Path)
	}
	first := len(dst)
	for _, f := range fields {
		c := Component{Span: f.Span, Classes: f.Classes}
		switch {
		case !l.Fragment.Empty() && f.Start > l.Fragment.Start:
			c.Kind = Fragment
		case !l.Query.Empty() && f.Start > l.Query.Start:
			c.Kind = QueryName
			if text[f.Start-1] == '=' {
				c.Kind = QueryValue
			}
		case opaque:
			c.Kind = PathSegment
			if addressed && f.End < host.Start {
				c.Kind = LocalPart
			} else if addressed && f.End <= host.End {
				c.Kind = HostLabel
			}
		case !l.Path.Empty() && f.Start > l.Path.Start:
			c.Kind = PathSegment
		case !l.Port.Empty() && f.Start > l.Port.Start:
			c.Kind = PortNumber
		case f.End < l.Host.Start: // even if it is empty
			c.Kind = UserInfo
			if l.Kind == engine.Email {
				c.Kind = LocalPart
			}
		default:
			c.Kind = HostLabel
		}
		dst = append(dst, c)
	}
	if opaque {
		return dst
	}
	for i := len(dst) - 1; i >= first; i-- {
		if dst[i].Kind == PathSegment {
			return splitExtension(dst, i, text)
		}
	}
	return dst
}

// splitExtension makes two components of the segment dst[i] if it has an extension.
func splitExtension(dst []Component, i int, text string) []Component {
	c := dst[i]
	s := c.In(text)
	dot := strings.LastIndexByte(s, '.')
	if dot <= 0 || dot == len(s)-1 {
		return dst
	}
	dst = append(dst, Component{})
	copy(dst[i+2:], dst[i+1:])
	name := engine.Span{Start: c.Start, End: c.Start + dot}
	extension := engine.Span{Start: name.End + 1, End: c.End}
	dst[i] = Component{name, PathSegment, classesOf(name.In(text))}
	dst[i+1] = Component{extension, FileExtension, classesOf(extension.In(text))}
	return dst
}
