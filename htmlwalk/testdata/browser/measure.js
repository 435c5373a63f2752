// Measures where the characters of each paragraph are, copies what is in it, and sends back what it finds.
"use strict";

// The characters of p from left to right. It throws if that cannot be told.
function seen(p) {
	const places = [];
	const texts = document.createTreeWalker(p, NodeFilter.SHOW_TEXT);
	const range = document.createRange();
	while (texts.nextNode()) {
		const node = texts.currentNode;
		let at = 0;
		for (const char of node.data) {
			const start = at;
			at += char.length;
			if (/\p{Bidi_Control}/u.test(char)) {
				continue;
			}
			range.setStart(node, start);
			range.setEnd(node, at);
			const rects = Array.from(range.getClientRects()).filter(r => r.width > 0);
			if (rects.length !== 1) {
				throw new Error(`${rects.length} rectangles for ${JSON.stringify(char)} at ${start}`);
			}
			const { left, right, top, bottom } = rects[0];
			places.push({ char, left, right, top, bottom });
		}
	}
	places.sort((a, b) => a.left - b.left);
	for (let i = 1; i < places.length; i++) {
		const a = places[i - 1], b = places[i];
		if (b.left - a.left < 1 || Math.abs(b.left - a.right) > 1) {
			throw new Error(`${JSON.stringify(a.char)} from ${a.left} to ${a.right}, ${JSON.stringify(b.char)} from ${b.left} to ${b.right}`);
		}
		if (b.top >= a.bottom || a.top >= b.bottom) {
			throw new Error("more than one line");
		}
	}
	return places.map(x => x.char).join("");
}

// What is copied of an element.
function copied(element) {
	const selection = getSelection();
	selection.removeAllRanges();
	selection.selectAllChildren(element);
	return selection.toString();
}

async function post(path, body) {
	const response = await fetch(path, { method: "POST", body });
	if (!response.ok) {
		throw new Error(await response.text());
	}
}

// What the clipboard holds after the keys for copying were pressed.
async function pressed() {
	const before = "nothing was copied";
	await navigator.clipboard.writeText(before);
	await post("/copy");
	for (let i = 0; i < 100; i++) {
		const text = await navigator.clipboard.readText();
		if (text !== before) {
			return text;
		}
		await new Promise(resolve => setTimeout(resolve, 20));
	}
	return before;
}

async function main() {
	const page = { Paragraphs: [] };
	try {
		await document.fonts.ready;
		const begin = performance.now();
		for (const p of document.querySelectorAll("p")) {
			const result = { Links: [] };
			try {
				result.Seen = seen(p);
			} catch (e) {
				result.Error = String(e);
			}
			page.Paragraphs.push(result);
		}
		await post("/attach");
		let i = 0;
		for (const p of document.querySelectorAll("p")) {
			const result = page.Paragraphs[i++];
			result.Copied = copied(p);
			for (const a of p.querySelectorAll("a")) {
				const link = { Href: a.href, Text: a.textContent, Copied: copied(a) };
				if (p.className === "copy") {
					link.Clipboard = await pressed();
				}
				result.Links.push(link);
			}
		}
		page.Milliseconds = performance.now() - begin;
	} catch (e) {
		page.Error = String(e);
	}
	await post("/result", JSON.stringify(page));
}

main();
