// SPDX-License-Identifier: MIT

// Runs one of the peers below, which its argument names. ../README.md has the requests and the answers.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);

// A text peer returns a list of [start, end], in the offsets of JavaScript; the others return HTML.
const peers = {
  "linkify-it": async () => {
    const { LinkifyIt } = await import("linkify-it");
    const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true }).tlds(require("tlds"));
    return { module: "linkify-it", links: (text) => (linkify.match(text) ?? []).map((m) => [m.index, m.lastIndex]) };
  },
  linkifyjs: async () => {
    const { find } = await import("linkifyjs-newest"); // linkify-html needs an older one
    return { module: "linkifyjs-newest", links: (text) => find(text).map((m) => [m.start, m.end]) };
  },
  autolinker: async () => {
    const { Autolinker } = require("autolinker");
    const at = (m) => [m.getOffset(), m.getOffset() + m.getMatchedText().length];
    return { module: "autolinker", links: (text) => Autolinker.parse(text, { phone: false, urls: true, email: true }).map(at) };
  },
  anchorme: async () => {
    const anchorme = require("anchorme").default;
    return { module: "anchorme", links: (text) => anchorme.list(text).map((m) => [m.start, m.end]) };
  },
  "twitter-text": async () => {
    const twitter = require("twitter-text");
    return { module: "twitter-text", links: (text) => twitter.extractUrlsWithIndices(text).map((m) => m.indices) };
  },
  "linkify-html": async () => {
    const linkify = (await import("linkify-html")).default;
    return { module: "linkify-html", html: (text) => linkify(text) };
  },
  "autolinker-html": async () => {
    const { Autolinker } = require("autolinker");
    const linker = new Autolinker({ phone: false, stripPrefix: false, stripTrailingSlash: false, decodePercentEncoding: false });
    return { module: "autolinker", html: (text) => linker.link(text) };
  },
  "anchorme-html": async () => {
    const anchorme = require("anchorme").default;
    return { module: "anchorme", html: (text) => anchorme(text) };
  },
  "markdown-it": async () => {
    const md = (await import("markdown-it")).default();
    return { module: "markdown-it", html: (text) => md.render(text) };
  },
  "markdown-it-linkify": async () => {
    const md = (await import("markdown-it")).default({ linkify: true });
    return { module: "markdown-it", html: (text) => md.render(text) };
  },
};

// bytes returns a function from offsets of JavaScript, which must not fall, to offsets in bytes.
function bytes(text) {
  let at = 0, n = 0;
  return (to) => {
    n += Buffer.byteLength(text.slice(at, to));
    at = to;
    return n;
  };
}

let documents = [];
let sink = 0;

const requests = {
  read: (path) => {
    const text = readFileSync(path);
    let at = 0;
    documents = readFileSync(path + ".sizes", "latin1").split("\n").filter(Boolean).map((size) => text.toString("utf8", at, (at += Number(size))));
    return ["read", documents.length];
  },
  time: (seconds) => {
    const run = peer.links ?? peer.html;
    const start = process.cpuUsage();
    for (let passes = 1; ; passes++) {
      for (const text of documents) sink += run(text).length;
      const { user, system } = process.cpuUsage(start);
      const taken = (user + system) / 1e6;
      if (taken >= Number(seconds)) return ["time", passes, taken];
    }
  },
  write: (path) => {
    if (peer.links) {
      let out = "";
      documents.forEach((text, i) => {
        const at = bytes(text);
        for (const [start, end] of peer.links(text)) out += `${i}\t${at(start)}\t${at(end)}\n`;
      });
      writeFileSync(path, out);
      return ["write"];
    }
    const out = documents.map((text) => Buffer.from(peer.html(text)));
    writeFileSync(path, Buffer.concat(out));
    writeFileSync(path + ".sizes", out.map((b) => b.length + "\n").join(""));
    return ["write"];
  },
};

const say = (...words) => process.stdout.write(words.join("\t") + "\n");
const oneLine = (e) => String(e?.message ?? e).split("\n")[0].replaceAll("\t", " ");

let peer;
try {
  const name = process.argv[2];
  if (!Object.hasOwn(peers, name)) throw new Error(`no peer ${name}`);
  peer = await peers[name]();
  const main = require.resolve(peer.module);
  const folder = main.slice(0, main.lastIndexOf("/node_modules/")) + "/node_modules/" + peer.module;
  say("ready", JSON.parse(readFileSync(folder + "/package.json", "utf8")).version);
} catch (e) {
  say("missing", oneLine(e));
  process.exit(0);
}
for await (const line of createInterface({ input: process.stdin })) {
  const [request, ...words] = line.split("\t");
  try {
    if (!Object.hasOwn(requests, request)) throw new Error(`unknown request ${request}`);
    say(...requests[request](...words));
  } catch (e) {
    say("error", oneLine(e));
  }
}
