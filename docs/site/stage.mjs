// SPDX-License-Identifier: Apache-2.0
// Lays out what the site is made of: the repository's Markdown as it is, with links that fit the site, and a page for each example.
//
// The Markdown stays what it is on a code host. Only here links to sources become links to pages, the first mention of a public type on a page
// one to its Javadoc, and drawings of states pictures. A link that leads nowhere ends it.
import { instance } from "@viz-js/viz";
import fs from "node:fs";
import path from "node:path";

const [root, out] = process.argv.slice(2);
const problems = [];

// ---- where things are in the site

const pages = new Map(); // by path in the repository: the path in the site
const add = (source, target) => pages.set(source, target);
for (const file of walk("docs/manual").concat(walk("docs/internals"), walk("docs/adr"))) {
  if (file.endsWith(".md")) add(file, file.slice("docs/".length).replace(/README\.md$/, "index.md"));
}
add("ARCHITECTURE.md", "architecture.md");
add("CONTRIBUTING.md", "contributing.md");
add("CHANGELOG.md", "changelog.md");
add("docs/benchmarks.md", "benchmarks.md");
add("README.md", "readme.md");
for (const file of walk("examples")) {
  if (file.endsWith(".java")) add(file, file.replace(/\.java$/, ".md"));
}
if (!pages.has("docs/adr/README.md")) add("docs/adr", "adr/index.md");
add("examples", "examples/index.md");
// A program of several files is a directory, with a page that lists them.
const several = fs.readdirSync(path.join(root, "examples"), { withFileTypes: true }).filter((each) => each.isDirectory()).map((each) => `examples/${each.name}`);
for (const directory of several) add(directory, `${directory}/index.md`);

function walk(directory) {
  return fs.readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const file = `${directory}/${entry.name}`;
    return entry.isDirectory() ? walk(file) : [file];
  });
}

// ---- public types, for links to Javadoc

const types = new Map(); // by simple name: module/package/Type.html
for (const [file, module] of [
  ["docs/api.txt", "dev.couv"],
  ...walk("docs").filter((each) => /^docs\/api-\w+\.txt$/.test(each)).map((each) => [each, "dev.couv." + each.match(/api-(\w+)/)[1]]),
]) {
  for (const line of fs.readFileSync(path.join(root, file), "utf8").split("\n")) {
    const found = line.match(/^public .*?(?:class|interface|enum|record) (dev\.couv\.[\w.]+)\.([A-Z][\w$]*)/);
    if (found && !found[2].includes("$")) types.set(found[2], `${module}/${found[1].replaceAll(".", "/")}/${found[2]}.html`);
  }
}
for (const file of walk("testing/src/main/java/dev/couv/testing")) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const found = text.match(/^public .*?(?:class|interface|enum|record) (\w+)/m);
  if (found) types.set(found[1], `dev.couv.testing/dev/couv/testing/${found[1]}.html`);
}
// Names that mean something else in the prose as well.
for (const name of ["Time", "Info", "Context", "Header", "Access", "Content", "Local"]) types.delete(name);

// ---- one page

const viz = await instance();

function convert(source, text) {
  const seen = new Set();
  const parts = text.split(/(^ *```[^\n]*\n[\s\S]*?^ *```$)/m);
  return parts
    .map((part) => (/^ *```/.test(part) ? fence(part) : prose(source, part, seen)))
    .join("");
}

function fence(block) {
  return block.startsWith("```mermaid\nstateDiagram-v2\n") ? drawing(block) : block;
}

// A drawing of states as a picture, in the colours of the page.
function drawing(block) {
  const edges = [...block.matchAll(/^ {2}(\w+) --> (\w+) : (.*)$/gm)];
  const dot = `digraph { rankdir=LR; bgcolor="transparent"; nodesep=0.35; ranksep=0.6;
    node [shape=box, style=rounded, fontname="Helvetica", fontsize=12, margin="0.15,0.07"];
    edge [fontname="Helvetica", fontsize=11, arrowsize=0.7];
    ${edges.map(([, from, to, label]) => `"${from}" -> "${to}" [label="${label.replaceAll(", ", "\\n")}"];`).join("\n")} }`;
  const svg = viz.renderString(dot, { format: "svg" });
  const image = svg.slice(svg.indexOf("<svg")).replace(/<!--[\s\S]*?-->/g, "").replace(/<title>[\s\S]*?<\/title>/g, "");
  return `<div class="states" v-pre>${image.replace(/\n\s*/g, "").replaceAll('"black"', '"currentColor"')}</div>`;
}

function prose(source, text, seen) {
  const linked = text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (all, image, label, target) => {
    return `${image}[${label}](${relink(source, target)})`;
  });
  return linked
    .split("\n")
    .map((line) => (line.startsWith("#") ? line : mention(source, line, seen)))
    .join("\n");
}

function relink(source, target) {
  if (/^[a-z]+:/.test(target) || target.startsWith("#")) return target;
  const [file, anchor] = target.split("#");
  const found = path.posix.join(path.posix.dirname(source), file).replace(/\/$/, "");
  const page = pages.get(found) ?? pages.get(found + "/README.md");
  if (page) return relative(source, page) + (anchor ? "#" + anchor : "");
  const kept = path.join(root, found);
  if (fs.existsSync(kept) && fs.statSync(kept).isFile()) {
    const copy = "files/" + found + (path.extname(found) ? "" : ".txt"); // not a page: kept as it is
    const place = path.join(out, "public", copy);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.copyFileSync(kept, place);
    return "/" + copy;
  }
  problems.push(`${source}: a link to ${target}, which is not there`);
  return target;
}

function relative(source, page) {
  const from = path.posix.dirname(pages.get(source));
  const way = path.posix.relative(from, page);
  return way.startsWith(".") ? way : "./" + way;
}

// Inline code that names a file with a page, or for the first time a public type, becomes a link.
function mention(source, line, seen) {
  // There all but the last column is code of others, whose names are not ours.
  if (source.endsWith("guides/coming-from.md") && line.startsWith("| ")) {
    const ours = line.lastIndexOf(" | ") + 1;
    return line.slice(0, ours) + mention("", line.slice(ours), seen);
  }
  return line.replace(/\[[^\]]*\]\([^)]*\)|`([^`]+)`/g, (all, code) => {
    if (code === undefined) return all;
    if (source && pages.has(code)) return `[${all}](${relative(source, pages.get(code))})`;
    const type = code.match(/^@?([A-Z]\w+)/)?.[1];
    if (!type || !types.has(type) || seen.has(type)) return all;
    seen.add(type);
    return `[${all}](/api/${types.get(type)}){target="_self"}`;
  });
}

// ---- all of it

function write(page, text) {
  const file = path.join(out, page);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

const read = (file) => fs.readFileSync(path.join(root, file), "utf8");
const title = (text) => text.match(/^# (.*)$/m)?.[1] ?? "";

for (const [source, page] of pages) {
  if (source.endsWith(".md")) write(page, convert(source, read(source)));
}

const examples = [...pages.keys()].filter((each) => each.startsWith("examples/") && each.endsWith(".java"));
const programs = examples.filter((each) => !several.includes(path.dirname(each)));
for (const source of examples) {
  const text = read(source).replace(/^\/\/ SPDX.*\n/, "");
  const run = /\bvoid main\(/.test(text) ? `\`\`\`sh\n./couv run ${source}\n\`\`\`\n\n` : "";
  write(pages.get(source), `# ${path.basename(source)}\n\n${run}\`\`\`java\n${text.trim()}\n\`\`\`\n`);
}
// What a file says of itself first: of a program at its top, of a class above it. A sentence, without how to run it.
function about(source) {
  const text = read(source).replace(/^\/\/ SPDX.*\n/, "");
  const comment = text.match(/^\/\/ .*(?:\n\/\/ .*)*/) ?? text.match(/^\/\/\/ .*(?:\n\/\/\/ .*)*/m) ?? [""];
  const words = comment[0].replace(/^\/\/\/? /gm, "").replaceAll("\n", " ");
  return words.split(/[.:] (?=[A-Z])|[.:]? ?`?\.\/couv run/)[0].replace(/[.:]?$/, "").replaceAll("|", "\\|");
}
const listed = (from, files) =>
  "| | |\n|---|---|\n" + files.map((each) => `| [${path.basename(each)}](./${path.posix.relative(from, pages.get(each))}) | ${about(each)} |`).join("\n") + "\n";
for (const directory of several) {
  const files = examples.filter((each) => path.dirname(each) === directory);
  write(pages.get(directory), `# ${path.basename(directory)}\n\nA program of several files.\n\n${listed(directory, files)}`);
}
write(
  "examples/index.md",
  "# Examples\n\nPrograms of one file each. All run by `./couv run`.\n\n" + listed("examples", programs) +
    several.map((each) => `\n[${path.basename(each)}](./${path.basename(each)}/index.md) has several files.\n`).join(""),
);
const decisions = [...pages.keys()].filter((each) => each.startsWith("docs/adr/") && each.endsWith(".md"));
write("adr/index.md", "# Decisions\n\n" + decisions.map((each) => `- [${title(read(each))}](./${path.basename(each)})`).join("\n") + "\n");
write("index.md", read("docs/site/index.md"));

// The list of pages in docs/manual/README.md is the navigation.
const sidebar = [];
let section, group;
for (const line of read("docs/manual/README.md").split("\n")) {
  if (line.startsWith("## ")) {
    group = section = { text: line.slice(3), items: [] };
    sidebar.push(section);
  } else if (line.startsWith("### ") && section) {
    group = { text: line.slice(4), items: [], collapsed: false };
    section.items.push(group);
  }
  // The page of a line: the first link in a row of a table or of a list.
  const link = group && line.match(/^(?:\||-|\d+\.)\s*\[([^\]]*)\]\(([^)#]+\.md)\)/);
  if (link) {
    const source = path.posix.join("docs/manual", link[2]);
    if (!pages.has(source)) problems.push(`docs/manual/README.md: a link to ${link[2]}, which is not there`);
    else group.items.push({ text: title(read(source)).replaceAll("`", ""), link: "/" + pages.get(source).replace(/\.md$/, "").replace(/index$/, "") });
  }
}
const named = (files) => files.map((each) => ({ text: title(read(each)).replaceAll("`", ""), link: "/" + pages.get(each).replace(/\.md$/, "") }));
const inside = [
  { text: "Working on Couv", items: named(["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/benchmarks.md"]) },
  { text: "Internals", items: named([...pages.keys()].filter((each) => each.startsWith("docs/internals/"))) },
  { text: "Decisions", items: named(decisions) },
];
const linked = (files) => files.map((each) => ({ text: path.basename(each), link: "/" + pages.get(each).replace(/\.md$/, "").replace(/index$/, "") }));
const shown = [
  { text: "Examples", items: linked(programs) },
  ...several.map((each) => ({ text: path.basename(each), items: linked([each, ...examples.filter((file) => path.dirname(file) === each)]) })),
];
write(
  "navigation.json",
  JSON.stringify({
    "/manual/": sidebar,
    "/examples/": shown,
    ...Object.fromEntries(["/internals/", "/adr/", "/architecture", "/contributing", "/changelog", "/benchmarks"].map((each) => [each, inside])),
  }),
);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`${pages.size} pages laid out`);
