// SPDX-License-Identifier: Apache-2.0
// Looks at every link of the built site: each leads to a file that is there, and to a place in it that is there.
import fs from "node:fs";
import path from "node:path";

const [site, base = "/"] = process.argv.slice(2);
const problems = new Set();
const anchors = new Map();

function walk(directory) {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    return entry.isDirectory() ? walk(file) : [file];
  });
}

function anchorsOf(file) {
  if (!anchors.has(file)) {
    const text = fs.readFileSync(file, "utf8");
    anchors.set(file, new Set([...text.matchAll(/\b(?:id|name)="([^"]*)"/g)].map((each) => each[1])));
  }
  return anchors.get(file);
}

let links = 0;
for (const file of walk(site)) {
  if (!file.endsWith(".html") || path.relative(site, file).startsWith("api" + path.sep)) continue;
  const page = "/" + path.relative(site, file);
  for (const [, href] of fs.readFileSync(file, "utf8").matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g)) {
    if (/^[a-z]+:/i.test(href)) continue;
    links++;
    const [way, anchor] = href.replaceAll("&amp;", "&").split("#");
    const place = way === "" ? page : way.startsWith("/") ? "/" + way.slice(base.length) : path.posix.join(path.posix.dirname(page), way);
    const target = path.join(site, place.endsWith("/") ? place + "index.html" : place);
    if (!fs.existsSync(target)) problems.add(`${page}: ${href} leads nowhere`);
    else if (anchor && target.endsWith(".html") && !anchorsOf(target).has(decodeURIComponent(anchor))) {
      problems.add(`${page}: ${href} leads to a page that has no such place`);
    }
  }
}
if (problems.size > 0) {
  console.error([...problems].join("\n"));
  console.error(`${problems.size} links of the site are dead`);
  process.exit(1);
}
console.log(`${links} links looked at`);
