// SPDX-License-Identifier: MIT

package mailfilter

// A Text is a part of a message that people read, decoded.
type Text struct {
	Path string // as in [Part]
	Type string // "text/plain" or "text/html"
	Text []byte // UTF-8; may be a piece of the message that was given
}

// Texts returns the parts of type text/plain and text/html of a message, in their order, decoded from their transfer encodings and charsets: what there is to
// explain. Of o, only the limits count. Not among them are attachments, what is signed or encrypted, messages in the message, and parts
// whose encoding or charset [Rewrite] would leave alone; a message whose structure is in doubt has none.
//
// It fails with a [*LimitError] if the message is beyond a limit, or the options are wrong.
func Texts(msg []byte, o Options) ([]Text, error) {
	o.RewriteDKIM, o.RewriteLists = true, true
	f, err := newFilter(o)
	if err != nil {
		return nil, err
	}
	f.reads = true
	if int64(len(msg)) > f.o.MaxMessage {
		return nil, &LimitError{"message bytes", f.o.MaxMessage}
	}
	entities, reason, err := f.scan(msg, nil)
	if err != nil || reason != NoReason {
		return nil, err
	}
	var texts []Text
	for i := range entities {
		e := &entities[i]
		if !e.candidate || e.suspect {
			continue
		}
		if err := f.expired(); err != nil {
			return nil, err
		}
		decoded, reason := e.decode(nil, msg[e.body:e.end], f.o.MaxPart)
		if reason == Limit {
			return nil, &LimitError{"part bytes", f.o.MaxPart}
		}
		text, _, ok := decodeCharset(e.charset, decoded)
		if reason != NoReason || !ok {
			continue
		}
		texts = append(texts, Text{path(entities, i), e.head.mediaType, text})
	}
	return texts, nil
}
