// Measures where the characters of the links are, and sends it back.
"use strict";

// The characters of an element from left to right.
function seen(element) {
	const places = [];
	const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	const range = document.createRange();
	while (texts.nextNode()) {
		const node = texts.currentNode;
		for (let at = 0; at < node.data.length; at++) {
			range.setStart(node, at);
			range.setEnd(node, at + 1);
			const rects = Array.from(range.getClientRects()).filter(r => r.width > 0);
			if (rects.length !== 1) {
				throw new Error(`${rects.length} rectangles for ${JSON.stringify(node.data[at])} in ${element.textContent}`);
			}
			places.push({ char: node.data[at], left: rects[0].left, top: rects[0].top, bottom: rects[0].bottom });
		}
	}
	places.sort((a, b) => a.left - b.left);
	for (const { top, bottom } of places) {
		if (top >= places[0].bottom || places[0].top >= bottom) {
			throw new Error(`more than one line: ${element.textContent}`);
		}
	}
	return places.map(x => x.char).join("");
}

(async () => {
	const result = { Error: "", Links: [], Nested: document.querySelectorAll("a a").length, Elements: document.querySelectorAll("a").length };
	try {
		await document.fonts.ready;
		const links = Array.from(document.querySelectorAll("main a")).filter(a => /[:.@]/.test(a.textContent) && !a.textContent.includes(" "));
		for (const a of links) {
			result.Links.push({ Text: a.textContent, Seen: seen(a) });
		}
		for (const bdi of document.querySelectorAll("main bdi")) {
			bdi.replaceWith(...bdi.childNodes);
		}
		document.body.normalize();
		links.forEach((a, i) => { result.Links[i].Bare = seen(a); });
	} catch (e) {
		result.Error = String(e);
	}
	await fetch("/result", { method: "POST", body: JSON.stringify(result) });
})();
