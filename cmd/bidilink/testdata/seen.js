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
			places.push({ char: node.data[at], left: rects[0].left, top: rects[0].top });
		}
	}
	if (places.some(p => Math.abs(p.top - places[0].top) > 10)) {
		throw new Error(`more than one line: ${element.textContent}`);
	}
	return places.sort((a, b) => a.left - b.left).map(p => p.char).join("");
}

(async () => {
	const result = { Error: "", Seen: [] };
	try {
		await document.fonts.ready;
		result.Seen = Array.from(document.querySelectorAll(".plain, a"), seen);
	} catch (e) {
		result.Error = String(e);
	}
	await fetch("/result", { method: "POST", body: JSON.stringify(result) });
})();
