// SPDX-License-Identifier: MIT

// The page: what is entered goes to the server with every change, and what it says is shown. What is entered, and what comes of it, becomes
// text nodes, bdi elements, or the content of a frame with sandbox; nothing else.
"use strict";
(() => {
	const $ = id => document.getElementById(id);
	const pure = { createHTML: s => s };
	// HTML is only parsed by parse, preview and frame, below.
	const policy = window.trustedTypes ? trustedTypes.createPolicy("bidilink", pure) : pure;

	const samples = {
		text: "See http://מזל.ישראל/דרך/1, https://en.wikipedia.org/wiki/Link_(film) and mail@example.com.\nانظر http://مثال.السعودية/كتاب، وكذلك example.com/a.\nNo links: example.cmo, http://user@example.com, ftp://example.org/",
		markdown: "See *http://מזל.ישראל/דרך_1*, https://en.wikipedia.org/wiki/Link_(film) and `code.example.com`.\n",
		html: "<p>See http://מזל.ישראל/דרך, https://example.com/?a=1&amp;b=2.</p>\n<p dir=\"rtl\">انظر http://مثال.السعودية/كتاب، وكذلك example.com/a/.</p>\n",
		mail: "From: a@example.com\nTo: b@example.com\nSubject: Links\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n<p>See http://מזל.ישראל/דרך and www.example.com.</p>\n",
	};
	const types = { text: "text/plain", markdown: "text/markdown", html: "text/html", mail: "message/rfc822" };
	const shownLinks = 50; // with all there is to say; the others are only marked
	// Lengths in bytes. What comes with the address is not sent by itself if it is longer: who made that address need not be who opens it.
	const limits = { explained: 256 * 1024, rendered: 64 * 1024, sent: 1024 * 1024, recalled: 16 * 1024 };

	let running = null; // what aborts the requests for what was entered before
	let drawn = 0;      // how often the page was redrawn, for tests

	const kind = () => document.querySelector("input[name=kind]:checked").value;

	// element makes an element with properties and children, which are elements or strings.
	function element(name, properties, ...children) {
		const e = document.createElement(name);
		for (const [key, value] of Object.entries(properties)) {
			e.setAttribute(key, value);
		}
		e.append(...children);
		return e;
	}

	// parse returns the text and the bdi elements of HTML that the server has made, and nothing else of it.
	function parse(html) {
		const copy = from => Array.from(from.childNodes, n => {
			if (n.nodeType === Node.TEXT_NODE) {
				return n.data;
			}
			const children = copy(n);
			return n.nodeName === "BDI" ? element("bdi", { dir: n.dir === "rtl" ? "rtl" : "ltr" }, ...children) : element("span", {}, ...children);
		});
		return copy(new DOMParser().parseFromString(policy.createHTML(html), "text/html").body);
	}

	// The frames show these elements, with these attributes; others give way to what is in them, or, if they are listed in dropped, are left out.
	// So there is nothing that is loaded, or that tells somebody that it is shown.
	const kept = new Map(Object.entries({
		a: ["href"], abbr: [], address: [], article: [], aside: [], b: [], bdi: [], bdo: [], blockquote: [], br: [], caption: [], center: [], cite: [], code: [], col: ["span"], colgroup: ["span"],
		dd: [], del: [], details: ["open"], dfn: [], div: ["align"], dl: [], dt: [], em: [], figcaption: [], figure: [], footer: [], h1: [], h2: [], h3: [], h4: [], h5: [], h6: [], header: [], hr: [],
		i: [], ins: [], kbd: [], li: ["value"], main: [], mark: [], nav: [], ol: ["start", "type", "reversed"], p: ["align"], pre: [], q: [], rp: [], rt: [], ruby: [], s: [], samp: [], section: [], small: [],
		span: [], strong: [], sub: [], summary: [], sup: [], table: [], tbody: [], td: ["align", "colspan", "rowspan"], tfoot: [], th: ["align", "colspan", "rowspan"], thead: [], time: [], tr: [], tt: [],
		u: [], ul: [], var: [], wbr: [],
	}));
	const dropped = new Set(["applet", "audio", "base", "canvas", "embed", "frame", "frameset", "head", "iframe", "input", "link", "meta", "noembed", "noframes", "noscript", "object", "script",
		"select", "source", "style", "template", "title", "track", "video"]);
	const empty = new Set(["br", "col", "hr", "wbr"]);

	// quietly renames what the policy of the page refuses already when HTML is parsed, which browsers have on the console. It is not what keeps that out.
	const quietly = html => html.replace(/<(\/?)style(?=[\s/>])/gi, "<$1noembed").replace(/<base(?=[\s/>])/gi, "<x-base").
		replace(/<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*/gi, tag => tag.replace(/([\s"'/])style(?=\s*=)/gi, "$1x-style"));

	// preview returns HTML with what is kept of some HTML.
	function preview(html) {
		const attribute = (n, name) => n.hasAttribute(name) ? ` ${name}="${escaped(n.getAttribute(name))}"` : "";
		const common = n => attribute(n, "dir") + attribute(n, "lang");
		const inside = from => Array.from(from.childNodes, write).join("");
		const write = n => {
			if (n.nodeType === Node.TEXT_NODE) {
				return escaped(n.data);
			}
			if (!(n instanceof HTMLElement)) {
				return "";
			}
			const name = n.localName;
			switch (true) {
			case name === "img":
				return escaped(n.alt);
			case name === "input" && n.type === "checkbox":
				return n.hasAttribute("checked") ? "\u2611" : "\u2610";
			case dropped.has(name):
				return "";
			case !kept.has(name):
				return inside(n);
			}
			const own = kept.get(name).filter(a => a !== "href" || /^(https?|mailto):/i.test(n.getAttribute("href"))).map(a => attribute(n, a)).join("");
			return `<${name}${common(n)}${own}>` + (empty.has(name) ? "" : `${name === "pre" ? "\n" : ""}${inside(n)}</${name}>`);
		};
		const { body } = new DOMParser().parseFromString(policy.createHTML(quietly(html)), "text/html");
		return common(body) ? `<div${common(body)}>${inside(body)}</div>` : inside(body);
	}

	// frame shows HTML that preview has made in a frame in which no script runs and which may not load anything.
	function frame(id, dir, html) {
		$(id).srcdoc = policy.createHTML(`<!DOCTYPE html><html lang="und" dir="${dir}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Output</title>${html}`);
	}

	// slices returns a function that gives the piece of text between two offsets in bytes.
	function slices(text) {
		const bytes = new TextEncoder().encode(text), decoder = new TextDecoder("utf-8", { ignoreBOM: true });
		return (start, end) => decoder.decode(bytes.subarray(start, end));
	}

	async function post(path, type, params, body, signal) {
		const headers = { "Content-Type": type };
		if ($("token").value) {
			headers.Authorization = "Bearer " + $("token").value;
		}
		const answer = await fetch(path + "?" + new URLSearchParams(params), { method: "POST", headers, body, signal, credentials: "omit", cache: "no-store" });
		if (answer.ok) {
			return answer;
		}
		if (answer.status === 401) {
			$("token").type = "password";
			$("auth").hidden = false;
		}
		let detail = `the server answers ${answer.status}`;
		if ((answer.headers.get("Content-Type") || "").startsWith("application/problem+json")) {
			detail = (await answer.json()).detail;
		}
		throw new Error(detail);
	}

	const escaped = s => s.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

	// redraw asks the server about what is entered, and shows what it says, unless there is something newer then.
	async function redraw() {
		if (running) {
			running.abort();
		}
		const mine = running = new AbortController();
		const text = $("input").value, what = kind();
		const size = new TextEncoder().encode(text).length;
		const links = $("bare").value ? { bare: $("bare").value } : {};
		if ($("strict").checked) {
			links.strict = "true";
		}
		const shown = { order: $("order").value, isolate: $("isolate").value };
		const fileNames = { "file-names": what === "text" ? "false" : "true" };
		$("go").hidden = true;
		const wrong = new Set();
		let explaining = null, making = null;
		if (what === "markdown" && size > limits.rendered) {
			wrong.add("This is longer than 64 KiB; Markdown of that length is not rendered here.");
		} else if (size > limits.sent) {
			wrong.add("This is longer than 1 MiB, and nothing is made of it here.");
		} else {
			if (size > limits.explained) {
				wrong.add("This is longer than 256 KiB; its links are not explained.");
			} else {
				explaining = post("/v1/show", types[what], { ...links, ...fileNames }, text, mine.signal).then(a => a.json());
			}
			making = (what === "text" ?
				post("/v1/html", "text/html; charset=utf-8", { ...links, ...fileNames, ...shown }, "<p>" + escaped(text).replaceAll("\n", "<br>\n") + "</p>\n", mine.signal) :
				post("/v1/" + what, types[what] + (what === "mail" ? "" : "; charset=utf-8"), { ...links, ...fileNames, ...shown }, text, mine.signal)).
				then(async a => ({ source: await a.text(), headers: a.headers }));
		}
		const results = await Promise.allSettled([explaining, making]);
		if (mine.signal.aborted) {
			return;
		}
		for (const r of results) {
			if (r.status === "rejected") {
				wrong.add(r.reason.message);
			}
		}
		draw(text, what, results[0].value || null, results[1].value || null);
		say([...wrong].join(" "));
		drawn++;
		document.documentElement.dataset.drawn = drawn;
	}

	// say shows what is wrong.
	function say(message) {
		$("alert").textContent = message;
		$("alert").hidden = message === "";
	}

	const count = (n, one, many) => n === 1 ? "1 " + one : n + " " + many;

	// draw shows what the server says. Where it has said nothing, nothing is shown, so that nothing is left of what was entered before.
	function draw(text, what, explained, made) {
		const { links, misses, contexts, more } = explained || { links: [], misses: [], contexts: [], more: false };
		const near = what === "text" || what === "mail";
		$("status").textContent = explained ? count(links.length, "link", "links") + (near ? ", " + count(misses.length, "near miss", "near misses") : "") : "";
		$("misses-section").hidden = !near || !explained;
		$("marked-section").hidden = $("links-section").hidden = !explained;
		$("marked-note").hidden = what === "text";
		$("marked").replaceChildren(...(!explained ? [] : what === "text" ? marked(text, links, misses) :
			contexts.map((c, i) => element("p", { dir: "auto" }, ...marked(c, links.filter(l => l.context === i), misses.filter(m => m.context === i))))));
		$("links").replaceChildren(...links.slice(0, shownLinks).map(link));
		$("more").hidden = !more && links.length <= shownLinks;
		$("misses").replaceChildren(...misses.map(miss));
		$("output-section").hidden = !made;
		const { source, headers } = made || { source: "", headers: new Headers() };
		$("source").textContent = source;
		const facts = [];
		for (const [name, label] of [["Bidilink-Links", "links made"], ["Bidilink-Isolated", "isolated"], ["Bidilink-Result", "result"], ["Bidilink-Reason", "reason"], ["Bidilink-Copied", "copied unchanged from"]]) {
			if (headers.has(name)) {
				facts.push(`${label}: ${headers.get(name)}`);
			}
		}
		$("facts").textContent = facts.join("; ");
		$("preview").hidden = what === "mail";
		const html = what === "mail" ? "" : preview(source);
		for (const dir of ["ltr", "rtl"]) {
			frame(dir, dir, html);
		}
	}

	// marked returns the text with its links and near misses marked.
	function marked(text, links, misses) {
		const slice = slices(text), nodes = [];
		const all = [...links.map(l => ({ ...l, miss: false })), ...misses.map(m => ({ ...m, miss: true }))].sort((a, b) => a.start - b.start);
		let at = 0;
		for (const x of all) {
			nodes.push(slice(at, x.start));
			nodes.push(x.miss ?
				element("mark", { class: "miss", title: x.causes.map(c => c.sentence).join("; ") }, element("bdi", { dir: "ltr" }, x.text)) :
				element("mark", { title: x.stop.sentence }, ...parse(x.displays.find(d => d.order === "constant").html)));
			at = x.end;
		}
		nodes.push(slice(at, Infinity));
		return nodes;
	}

	// list makes a dl of pairs.
	const list = pairs => element("dl", {}, ...pairs.filter(p => p[1] !== "").flatMap(([name, value, attributes]) => [element("dt", {}, name), element("dd", attributes || {}, value)]));

	// shown returns text with its bidi controls as escapes, which is how a link is displayed.
	const shown = text => text.replace(/\p{Bidi_Control}/gu, encodeURIComponent);

	// ordered returns a piece of a link, from start to end, with its fields from left to right, each in a bdi of its own.
	function ordered(l, start, end) {
		const slice = slices(l.text), nodes = [];
		let at = start;
		for (const f of l.fields) {
			if (f.start >= start && f.end <= end && f.start < f.end) {
				nodes.push(shown(slice(at - l.start, f.start - l.start)), element("bdi", { dir: "ltr" }, shown(f.text)));
				at = f.end;
			}
		}
		nodes.push(shown(slice(at - l.start, end - l.start)));
		return element("bdi", { dir: "ltr" }, ...nodes);
	}

	function link(l) {
		const end = l.stop.first.number ? ` (${l.stop.first.number}, Link_Term ${l.stop.term})` : "";
		const pairs = [
			["Begins", l.begin.sentence],
			["Ends", l.stop.sentence + end],
			["Parts", element("span", {}, ...l.parts.flatMap((p, i) => [i ? ", " : "", `${p.name} `, ordered(l, p.start, p.end)]))],
			["Fields", element("span", {}, ...l.fields.flatMap((f, i) => [i ? ", " : "", element("bdi", { dir: "ltr" }, shown(f.text)), ` ${f.direction}`]))],
			["Href", l.href || "none, and so no link is made"],
			["Readable", l.readable === l.text ? "" : element("bdi", { dir: "ltr" }, l.readable)],
			["In memory", l.notation && element("bdo", { dir: "ltr" }, l.notation)],
			...l.warnings.map(w => ["Warning", `${w.name}: ${w.sentence}`, { class: "warning" }]),
		];
		const rows = [];
		for (let i = 0; i < l.displays.length; i += 2) {
			rows.push(element("tr", {}, element("th", { scope: "row" }, l.displays[i].order), ...[l.displays[i], l.displays[i + 1]].map(d =>
				element("td", { dir: d.paragraph }, ...parse(d.html), ...(d.notation ? [element("bdo", { class: "notation", dir: "ltr" }, d.notation)] : [])))));
		}
		const caption = l.notation ? "As displayed, in each order. Below, capital letters stand for right-to-left ones." : "As displayed, in each order.";
		return element("li", {},
			element("h3", {}, ordered(l, l.start, l.end)),
			list(pairs),
			element("table", {}, element("caption", {}, caption),
				element("thead", {}, element("tr", {}, ...["Order", "Left-to-right paragraph", "Right-to-left paragraph"].map(h => element("th", { scope: "col" }, h)))),
				element("tbody", {}, ...rows)));
	}

	function miss(m) {
		return element("li", {}, element("h3", {}, element("bdi", { dir: "ltr" }, shown(m.text))),
			list([...m.causes.map((c, i) => [i ? "And" : "Because", c.sentence]), ["Would be", m.with === m.text ? "" : element("bdi", { dir: "ltr" }, shown(m.with))]]));
	}

	// The address of the page has what is entered in its fragment, which is not sent to the server.
	const choices = { order: "constant", isolate: "auto", bare: "" };

	function remember() {
		const state = new URLSearchParams({ kind: kind(), text: $("input").value });
		for (const [id, usual] of Object.entries(choices)) {
			if ($(id).value !== usual) {
				state.set(id, $(id).value);
			}
		}
		if ($("strict").checked) {
			state.set("strict", "1");
		}
		history.replaceState(null, "", "#" + state);
	}

	function recall() {
		const state = new URLSearchParams(location.hash.slice(1));
		const what = Object.hasOwn(types, state.get("kind")) ? state.get("kind") : "text";
		document.querySelector(`input[name=kind][value=${what}]`).checked = true;
		$("input").value = state.has("text") ? state.get("text") : samples[what];
		for (const [id, usual] of Object.entries(choices)) {
			const wanted = state.get(id) || usual;
			$(id).value = Array.from($(id).options, o => o.value).includes(wanted) ? wanted : usual;
		}
		$("strict").checked = state.get("strict") === "1";
		if (new TextEncoder().encode($("input").value).length <= limits.recalled) {
			redraw();
			return;
		}
		if (running) {
			running.abort();
		}
		draw("", what, null, null);
		say("The text in the address is long, and has not been sent to the server yet.");
		$("go").hidden = false;
		drawn++;
		document.documentElement.dataset.drawn = drawn;
	}

	let later = 0;
	function changed() {
		redraw();
		clearTimeout(later);
		later = setTimeout(remember, 300); // browsers count how often it changes
	}

	let before = "text";
	$("kinds").addEventListener("change", () => {
		// A sample that is as it was gives way to that of the kind chosen.
		if ($("input").value === samples[before] || $("input").value === "") {
			$("input").value = samples[kind()];
		}
		before = kind();
		changed();
	});
	$("input").addEventListener("input", changed);
	$("token").addEventListener("input", redraw);
	$("go").addEventListener("click", () => { redraw(); $("input").focus(); });
	$("options").addEventListener("change", changed);
	$("form").addEventListener("submit", e => e.preventDefault());
	$("share").addEventListener("click", async () => {
		remember();
		try {
			await navigator.clipboard.writeText(location.href);
			$("status").textContent = "The address is copied.";
		} catch {
			$("status").textContent = "The address of this page has it; it cannot be copied here.";
		}
	});
	window.addEventListener("hashchange", () => { recall(); before = kind(); });
	recall();
	before = kind();
})();
