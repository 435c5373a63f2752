// SPDX-License-Identifier: MIT

package serve

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write openapi.json anew")

type object = map[string]any

// description is what openapi.json has to be: the operations, and what all have in common.
func description() object {
	text := func(kind string) object { return object{kind: object{"schema": object{"type": "string"}}} }
	problems := func(codes ...string) object {
		answers := object{}
		for _, code := range codes {
			answers[code] = object{"$ref": "#/components/responses/Problem"}
		}
		return answers
	}
	paths := object{
		"/healthz": object{"get": object{"operationId": "healthz", "summary": "Whether the server runs.", "security": []any{},
			"responses": merge(object{"200": object{"description": "It does.", "content": text("text/plain")}}, problems("403", "421"))}},
		"/metrics": object{"get": object{"operationId": "metrics", "summary": "What the server has done, for Prometheus.",
			"responses": merge(object{"200": object{"description": "The metrics.", "content": text("text/plain")}}, problems("401", "403", "421"))}},
	}
	schemas := object{"Problem": schemaOf(reflect.TypeFor[problem]())}
	for path, op := range operations() {
		name := strings.TrimPrefix(path, "/v1/")
		var params []any
		for _, p := range op.params {
			schema := object{"type": p.kind}
			inner := schema
			if p.kind == "array" {
				inner = object{"type": "string"}
				schema["items"] = inner
			}
			if p.values != nil {
				inner["enum"] = p.values
			}
			switch {
			case p.kind == "boolean":
				schema["default"] = p.def == "true"
			case p.kind == "integer":
				n, err := strconv.Atoi(p.def)
				if err != nil {
					panic(err)
				}
				schema["default"] = n
			case p.def != "":
				schema["default"] = p.def
			}
			entry := object{"name": p.name, "in": "query", "description": p.help, "schema": schema}
			if p.kind == "array" {
				entry["style"], entry["explode"] = "form", false
			}
			params = append(params, entry)
		}
		content := object{}
		for _, kind := range op.accepts {
			maps.Copy(content, text(kind))
		}
		answer := object{"description": "What it becomes.", "content": text(op.gives)}
		if op.orText {
			maps.Copy(answer["content"].(object), text("text/plain"))
		}
		if op.gives == "application/json" {
			t := reflect.TypeFor[struct {
				Links []foundLink `json:"links"`
			}]()
			if name == "show" {
				t = reflect.TypeFor[shown]()
			}
			schema := strings.ToUpper(name[:1]) + name[1:]
			schemas[schema] = schemaOf(t)
			answer = object{"description": "What was found.", "content": object{op.gives: object{"schema": object{"$ref": "#/components/schemas/" + schema}}}}
		}
		headers := object{}
		for header, help := range answerHeaders[name] {
			headers[header] = object{"description": help, "schema": object{"type": "string"}}
		}
		if len(headers) > 0 {
			answer["headers"] = headers
		}
		paths[path] = object{"post": object{
			"operationId": name, "summary": op.summary, "parameters": params,
			"requestBody": object{"required": true, "content": content},
			"responses":   merge(object{"200": answer}, problems("400", "401", "403", "405", "406", "408", "413", "415", "421", "422", "500", "503")),
		}}
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "bidilink", "version": "1", "license": object{"name": "MIT", "identifier": "MIT"},
			"description": "Finds URLs, IRIs and e-mail addresses in text, as Unicode UTS #58 says, and makes links of them. The body of a request is what is worked on; it must not be compressed."},
		"servers":  []any{object{"url": "/"}},
		"security": []any{object{}, object{"token": []any{}}},
		"paths":    paths,
		"components": object{
			"schemas": schemas,
			"responses": object{"Problem": object{"description": "What is wrong (RFC 9457).",
				"content": object{"application/problem+json": object{"schema": object{"$ref": "#/components/schemas/Problem"}}}}},
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "Where the server was started with a token."}},
		},
	}
}

// answerHeaders are the header fields of answers that say what was done.
var answerHeaders = map[string]map[string]string{
	"html":     {"Bidilink-Links": "links made", "Bidilink-Isolated": "links and file names with an isolate", "Bidilink-Copied": "from where on the document was copied unchanged, and why"},
	"markdown": {"Bidilink-Links": "links made"},
	"mail":     {"Bidilink-Links": "links made", "Bidilink-Isolated": "links with an isolate", "Bidilink-Result": "modified, unchanged or skipped", "Bidilink-Reason": "why the message was left alone"},
}

func merge(a, b object) object { maps.Copy(a, b); return a }

// schemaOf returns the JSON schema of a type.
func schemaOf(t reflect.Type) object {
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Struct:
		properties, required := object{}, []string{}
		for _, f := range reflect.VisibleFields(t) {
			tag, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag == "" || tag == "-" || !f.IsExported() || throughHidden(t, f.Index) {
				continue
			}
			properties[tag] = schemaOf(f.Type)
			if rest != "omitempty" {
				required = append(required, tag)
			}
		}
		slices.Sort(required)
		return object{"type": "object", "properties": properties, "required": required}
	}
	panic("no schema for " + t.String())
}

// throughHidden reports whether a field is in one that JSON does not have.
func throughHidden(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		f := t.Field(i)
		if f.Tag.Get("json") == "-" {
			return true
		}
		t = f.Type
	}
	return false
}

func TestOpenAPI(t *testing.T) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(description()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		openapi = b.Bytes()
	}
	if !bytes.Equal(b.Bytes(), openapi) {
		t.Errorf("openapi.json is not what the operations are; go test ./serve -run OpenAPI -update writes it anew")
	}
}

// What openapi.json says is what the handler does: paths, methods, parameters and their values, media types, members of answers.
func TestOpenAPIHandler(t *testing.T) {
	var api struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema struct {
					Type    string
					Enum    []string
					Default any
					Items   struct{ Enum []string }
				}
			}
			RequestBody struct{ Content map[string]any }
			Responses   map[string]struct {
				Content map[string]struct{ Schema json.RawMessage }
				Ref     string `json:"$ref"`
			}
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any
				Required   []string
			}
		}
	}
	if err := json.Unmarshal(openapi, &api); err != nil {
		t.Fatal(err)
	}
	read := make(map[string]bool)
	h := newTest(t, Options{observe: func(name string) { read[name] = true }})
	for path := range operations() {
		if api.Paths[path]["post"].Responses == nil {
			t.Errorf("%s is not described", path)
		}
	}
	for path, methods := range api.Paths {
		for method, op := range methods {
			method = strings.ToUpper(method)
			if method == "GET" {
				w := send(h, method, path, "")
				kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
				if _, ok := op.Responses["200"].Content[kind]; w.Code != 200 || !ok {
					t.Errorf("%s %s: %d %s", method, path, w.Code, kind)
				}
				continue
			}
			for kind := range op.RequestBody.Content {
				clear(read)
				w := send(h, method, path, "", "Content-Type", kind)
				got, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
				if _, ok := op.Responses["200"].Content[got]; w.Code != 200 || !ok {
					t.Errorf("%s %s of %s: %d %s", method, path, kind, w.Code, got)
				}
				// Every parameter has an effect: the operation looks at it.
				for _, p := range op.Parameters {
					if !read[p.Name] {
						t.Errorf("%s: nothing looks at %s", path, p.Name)
					}
					delete(read, p.Name)
					values := slices.Concat(p.Schema.Enum, p.Schema.Items.Enum)
					if p.Schema.Type == "boolean" {
						values = []string{"true", "false", strconv.FormatBool(p.Schema.Default.(bool))}
					}
					for _, v := range values {
						with := ""
						if path == "/v1/markdown" && slices.Contains([]string{"links", "width", "flowed"}, p.Name) {
							with = "text&"
						}
						if w := send(h, method, path+"?"+with+p.Name+"="+v, "", "Content-Type", kind); w.Code != 200 {
							t.Errorf("%s?%s=%s: %d %s", path, p.Name, v, w.Code, w.Body)
						}
					}
					if len(values) > 0 {
						w := send(h, method, path+"?"+p.Name+"=no-such-value", "", "Content-Type", kind)
						if isProblem(t, w, 400); op.Responses["400"].Ref == "" {
							t.Errorf("%s: 400 is not described", path)
						}
					}
				}
			}
		}
	}
	// The members of the answers.
	for schema, target := range map[string]string{"Links": "/v1/links", "Show": "/v1/show"} {
		var got object
		w := send(h, "POST", target, "e.com/\u202ea")
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		want := api.Components.Schemas[schema].Required
		for _, name := range want {
			if _, ok := got[name]; !ok {
				t.Errorf("%s: no member %s", target, name)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d members, want %v", target, len(got), want)
		}
		item, ok := got["links"].([]any)[0].(object)
		links, _ := api.Components.Schemas[schema].Properties["links"].(object)["items"].(object)["properties"].(object)
		if !ok || links == nil {
			t.Fatalf("%s: %v, %v", target, got, links)
		}
		for name := range item {
			if links[name] == nil {
				t.Errorf("%s: the member %s is not described", target, name)
			}
		}
		for name := range links {
			if item[name] == nil {
				t.Errorf("%s: no member %s", target, name)
			}
		}
	}
}
