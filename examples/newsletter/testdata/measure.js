// Measures where the characters of the links are, and how well texts can be read, and sends it back.
"use strict";

// The characters of an element from left to right.
function seen(element) {
	const places = [];
	const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	const range = document.createRange();
	while (texts.nextNode()) {
		const { data } = texts.currentNode;
		for (let at = 0; at < data.length; at++) {
			range.setStart(texts.currentNode, at);
			range.setEnd(texts.currentNode, at + 1);
			const rects = Array.from(range.getClientRects());
			if (rects.length === 0) {
				throw new Error(`no place for ${data[at]} in ${element.textContent}`);
			}
			// A mark lies on its letter, behind which it stands in memory.
			const { left, width } = rects[rects.length - 1];
			if (width > 0) {
				places.push({ char: data[at], left });
			} else {
				places[places.length - 1].char += data[at];
			}
		}
	}
	places.sort((a, b) => a.left - b.left);
	return places.map(x => x.char).join("");
}

// The luminance of a color, as WCAG has it.
function luminance([r, g, b]) {
	const part = x => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
	return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}

function numbers(color) {
	return color.match(/[\d.]+/g).map(Number);
}

// The contrast of the text of an element with what is behind it.
function contrast(element) {
	let back = [255, 255, 255];
	for (let e = element; e; e = e.parentElement) {
		const color = numbers(getComputedStyle(e).backgroundColor);
		if (color.length < 4 || color[3] === 1) {
			back = color;
			break;
		}
	}
	const a = luminance(numbers(getComputedStyle(element).color)), b = luminance(back);
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

(async () => {
	const result = { Error: "", Links: [], Contrast: 21, Dark: matchMedia("(prefers-color-scheme: dark)").matches, Start: "", Width: 0 };
	try {
		await document.fonts.ready;
		for (const e of document.querySelectorAll("#letter *, .small, .small *")) {
			result.Contrast = Math.min(result.Contrast, contrast(e));
		}
		const item = document.querySelector("#letter li"), box = item.getBoundingClientRect(), all = document.querySelector("#letter").getBoundingClientRect();
		result.Start = box.left - all.left > all.right - box.right ? "left" : "right";
		result.Width = document.documentElement.scrollWidth - innerWidth;
		const style = document.createElement("style");
		style.textContent = "a { white-space: nowrap; font-variant-ligatures: none }";
		document.head.append(style);
		const links = Array.from(document.querySelectorAll("#letter a")).filter(a => /[.@]/.test(a.textContent) && !a.textContent.includes(" "));
		for (const a of links) {
			result.Links.push({ Text: a.textContent, Seen: seen(a) });
		}
		for (const e of document.querySelectorAll("#letter bdi, #letter a span")) {
			e.replaceWith(...e.childNodes);
		}
		document.body.normalize();
		links.forEach((a, i) => { result.Links[i].Bare = seen(a); });
	} catch (e) {
		result.Error = String(e);
	}
	await fetch("/result", { method: "POST", body: JSON.stringify(result) });
})();
