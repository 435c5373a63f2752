// SPDX-License-Identifier: MIT

// Hugo is Hugo with the links of bidilink: a main package of one's own in place of Hugo's, without a fork or a patch.
//
// Hugo has no door for goldmark extensions. This program goes in by the window: it reads a private field of a private type of Hugo,
// with reflect and unsafe. Nobody has promised that the field stays. It is there in the version that go.mod names; if another version
// does not have it, the program says so and stops, before it writes anything.
package main

import (
	"fmt"
	"log"
	"os"
	"reflect"
	"unsafe"

	"github.com/gohugoio/hugo/commands"
	"github.com/gohugoio/hugo/markup/converter"
	hugogoldmark "github.com/gohugoio/hugo/markup/goldmark"
	"github.com/yuin/goldmark"

	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// A provider is Hugo's, with an extension.
type provider struct {
	hugo   converter.ProviderProvider
	extend goldmark.Extender
}

// New implements converter.ProviderProvider. Hugo calls it once for each site, that is, for each language.
func (p provider) New(cfg converter.ProviderConfig) (converter.Provider, error) {
	made, err := p.hugo.New(cfg)
	if err != nil {
		return nil, err
	}
	c, err := made.New(converter.DocumentContext{})
	if err != nil {
		return nil, err
	}
	md, err := markdown(c)
	if err != nil {
		return nil, err
	}
	p.extend.Extend(md) // all documents of the site share it
	return made, nil
}

// markdown returns the field md of Hugo's converter.
func markdown(c converter.Converter) (goldmark.Markdown, error) {
	v := reflect.ValueOf(c)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("this version of Hugo does not fit: its Markdown converter is a %T", c)
	}
	f := v.Elem().FieldByName("md")
	if !f.IsValid() || f.Type() != reflect.TypeFor[goldmark.Markdown]() || f.IsNil() {
		return nil, fmt.Errorf("this version of Hugo does not fit: %T has no field md of type goldmark.Markdown", c)
	}
	return *(*goldmark.Markdown)(unsafe.Pointer(f.UnsafeAddr())), nil
}

// install has Hugo make its links with bidilink, whatever the site's configuration says of linkify.
func install() {
	// Attr: Hugo renders headings for tables of contents with a renderer of its own, which panics at nodes that it does not know.
	hugogoldmark.Provider = provider{hugogoldmark.Provider, &uts58.Extender{Isolate: uts58.Attr}}
}

func main() {
	log.SetFlags(0)
	install()
	if err := commands.Execute(os.Args[1:]); err != nil {
		log.Print("ERROR ", err)
		os.Exit(1)
	}
}
