// SPDX-License-Identifier: Apache-2.0
"use strict";

// The address is http://127.0.0.1:PORT/SECRET/; what changes something repeats the secret in a header.
const SECRET = location.pathname.split("/")[1];
const KEPT = 300, OVERSCAN = 12, LIMIT = 20000, KINDS = 30;
const $ = id => document.getElementById(id);

/** A row of the tree: [depth, is it a scope, id, name, status, awaited, for how many ms, spawned where]. */
const DEPTH = 0, SCOPE = 1, ID = 2, NAME = 3, STATUS = 4, AWAITED = 5, MILLIS = 6, SITE = 7;

let seen = null;            // the last answer
let lines = [];             // all rows, flat: {key, depth, kind, row, children, text}
let shown = [];             // those that are not folded away, or that are found
let collapsed = new Set();
let chosen = null;          // the key of the chosen row
let samples = new Map();    // by loop: points
let after = 0;
let paused = false;
let ended = false;

// ---- words

function time(ms) {
  if (ms < 1000) return Math.round(ms) + " ms";
  if (ms < 60e3) return (ms / 1000).toFixed(1) + " s";
  if (ms < 3600e3) return Math.floor(ms / 60e3) + " min " + Math.floor(ms / 1000 % 60) + " s";
  return Math.floor(ms / 3600e3) + " h " + Math.floor(ms / 60e3 % 60) + " min";
}

/** Without what is the same in every point of time: the day, if it is today, and what is below a second. */
function brief(words) {
  return words.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, moment => {
    const at = new Date(moment), today = at.toDateString() === new Date().toDateString();
    return (today ? "" : at.toLocaleDateString("en-CA") + " ") + at.toLocaleTimeString("en-GB");
  });
}

/** What is kept of words that are cut: a point of time, a number of things, a port, the name of a file, or a short last word. */
const END = /(\s\d\d:\d\d:\d\d|\s\d+ [a-z]{1,12}|:\d+|\/[^/\s]{1,16}|\s\S{1,10})$/;

/** Cut before its end where it does not fit: whom it is about stands there. */
function cut(tag, text) {
  const made = element(tag, "cut"), at = text.search(END);
  if (at <= 0) made.append(element("span", "", text));
  else made.append(element("span", "", text.slice(0, at)), element("span", "", text.slice(at)));
  return made;
}

const micros = us => us < 1000 ? Math.round(us) + " µs" : us < 1e6 ? (us / 1000).toFixed(1) + " ms" : (us / 1e6).toFixed(2) + " s";
const count = n => n.toLocaleString("en");
const some = (n, thing) => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;

// ---- asking

async function ask(what, options) {
  const answer = await fetch(what, {cache: "no-store", referrerPolicy: "no-referrer", ...options});
  const text = await answer.text();
  if (!answer.ok) throw Object.assign(new Error(text.trim()), {status: answer.status});
  return text;
}

async function poll() {
  const begun = performance.now();
  try {
    if (!paused && !document.hidden) take(JSON.parse(await ask(`look?limit=${LIMIT}&after=${after}`)));
  } catch (e) {
    trouble(e.status ? e.message : "The inspector does not answer: it, or the program, has ended.");
    ended = true;
    $("dot").className = "dot gone";
    document.querySelectorAll("nav button, #d-stack, #d-cancel").forEach(b => b.disabled = true);
    return;
  }
  // One that has much to tell is asked less often.
  setTimeout(poll, Math.max(1000, 5 * (performance.now() - begun)));
}

function trouble(words) {
  $("trouble").textContent = words;
  $("trouble").hidden = !words;
}

function take(answer) {
  seen = answer;
  for (const [loop, {points}] of Object.entries(answer.samples)) {
    const all = (samples.get(loop) || []).concat(points).slice(-KEPT);
    samples.set(loop, all);
    if (points.length) after = Math.max(after, points.at(-1)[0]);
  }
  flatten();
  filter();
  side();
  detail();
}

// ---- the tree

function flatten() {
  lines = [];
  const words = i => i < 0 ? "" : seen.strings[i];
  for (const loop of seen.loops) {
    const more = loop.more ? `, ${count(loop.more)} not shown` : "";
    const head = `loop ${loop.id} on thread ${loop.thread}: ` +
      (loop.state === "running" ? `${some(loop.counts.coroutines, "coroutine")}, ${some(loop.counts.handles, "handle")}` : loop.state) + more;
    lines.push({key: "l" + loop.id, depth: 0, kind: "loop", name: head, loop, text: head.toLowerCase()});
    for (const row of loop.rows) {
      const scope = row[SCOPE] === 1, awaited = words(row[AWAITED]), site = words(row[SITE]);
      lines.push({
        key: (scope ? "s" : "c") + row[ID], depth: row[DEPTH] + 1, kind: scope ? "scope" : "coroutine", id: row[ID], loop,
        name: row[NAME], status: words(row[STATUS]), awaited, ms: row[MILLIS], site,
        text: (row[NAME] + "\n" + awaited + "\n" + site).toLowerCase()
      });
    }
  }
  lines.forEach((line, i) => line.children = i + 1 < lines.length && lines[i + 1].depth > line.depth);
}

function filter() {
  const wanted = $("search").value.trim().toLowerCase();
  if (wanted) {
    const around = [], inside = new Set();
    shown = [];
    let hits = 0;
    for (const line of lines) {
      around.length = line.depth;
      around[line.depth] = line;
      if (line.text.includes(wanted)) {
        hits++;
        for (const each of around) if (each && !inside.has(each)) { inside.add(each); shown.push(each); }
      }
    }
    $("found").textContent = `${count(hits)} found`;
  } else {
    shown = [];
    let hiddenBelow = Infinity;
    for (const line of lines) {
      if (line.depth > hiddenBelow) continue;
      hiddenBelow = collapsed.has(line.key) ? line.depth : Infinity;
      shown.push(line);
    }
    $("found").textContent = "";
  }
  draw();
}

const rowHeight = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));

function draw() {
  const tree = $("tree"), height = rowHeight();
  $("space").style.height = shown.length * height + "px";
  const first = Math.max(0, Math.floor(tree.scrollTop / height) - OVERSCAN);
  const last = Math.min(shown.length, Math.ceil((tree.scrollTop + tree.clientHeight) / height) + OVERSCAN);
  $("rows").style.transform = `translateY(${first * height}px)`;
  $("rows").replaceChildren(...shown.slice(first, last).map(rowOf));
}

function element(tag, kind, text) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
}

function rowOf(line) {
  const row = element("div", "row " + line.kind + (line.key === chosen ? " chosen" : ""));
  row.dataset.key = line.key;
  row.id = "row-" + line.key;
  row.setAttribute("role", "treeitem");
  row.setAttribute("aria-level", line.depth + 1);
  row.setAttribute("aria-selected", line.key === chosen);
  row.style.setProperty("--indent", 6 + Math.min(line.depth, 24) * 14 + "px");
  const name = element("span", "name");
  const fold = element("i", "", line.children ? (collapsed.has(line.key) ? "▸" : "▾") : "");
  if (line.children) row.setAttribute("aria-expanded", !collapsed.has(line.key));
  name.append(fold, cut("b", line.name));
  name.title = line.name;
  row.append(name);
  if (line.kind === "coroutine") {
    const what = element("span", "what"), at = element("span", "at");
    what.append(cut("span", brief(line.awaited)));
    what.title = line.awaited;
    at.append(element("bdi", "", line.site));
    at.title = line.site;
    row.append(element("span", "state " + line.status, line.status), what, element("span", "for", line.awaited ? time(line.ms) : ""), at);
  }
  return row;
}

function fold(key, closed) {
  if (closed === undefined) closed = !collapsed.has(key);
  closed ? collapsed.add(key) : collapsed.delete(key);
  filter();
}

function choose(key) {
  chosen = key;
  $("d-text").hidden = true;
  resetCancel();
  draw();
  detail();
  $("tree").setAttribute("aria-activedescendant", "row-" + key);
}

$("tree").addEventListener("scroll", draw, {passive: true});
new ResizeObserver(draw).observe($("tree"));
$("tree").addEventListener("click", e => {
  const row = e.target.closest(".row");
  if (!row) return;
  if (e.target.tagName === "I" && e.target.textContent) fold(row.dataset.key);
  else choose(row.dataset.key);
});
$("tree").addEventListener("dblclick", e => {
  const row = e.target.closest(".row");
  if (row) fold(row.dataset.key);
});
$("tree").addEventListener("keydown", e => {
  const at = shown.findIndex(line => line.key === chosen);
  const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9}[e.key];
  if (step !== undefined && shown.length) {
    const next = Math.min(shown.length - 1, Math.max(0, at + step)), height = rowHeight(), tree = $("tree");
    if (next * height < tree.scrollTop) tree.scrollTop = next * height;
    if ((next + 1) * height > tree.scrollTop + tree.clientHeight) tree.scrollTop = (next + 1) * height - tree.clientHeight;
    choose(shown[next].key);
  } else if (e.key === "ArrowLeft" && at >= 0) fold(chosen, true);
  else if (e.key === "ArrowRight" && at >= 0) fold(chosen, false);
  else return;
  e.preventDefault();
});
$("search").addEventListener("input", () => { $("tree").scrollTop = 0; filter(); });
$("expand").onclick = () => { collapsed.clear(); filter(); };
$("collapse").onclick = () => {
  collapsed = new Set(lines.filter(line => line.children && line.kind !== "loop").map(line => line.key));
  filter();
};

// ---- the chosen one

function detail() {
  const line = lines.find(each => each.key === chosen);
  $("detail").hidden = !chosen;
  if (!chosen) return;
  if (!line) {
    $("d-facts").replaceChildren(element("dt", "", "State"), element("dd", "", "has ended"));
    $("d-cancel").disabled = $("d-stack").disabled = true;
    return;
  }
  $("d-cancel").disabled = $("d-stack").disabled = ended;
  $("d-name").textContent = line.name;
  $("d-stack").hidden = line.kind !== "coroutine";
  $("d-cancel").hidden = line.kind === "loop";
  const facts = line.kind === "coroutine"
    ? [["State", line.status], ["Awaits", line.awaited ? `${line.awaited}, for ${time(line.ms)}` : "nothing"], ["Spawned at", line.site], ["Loop", `${line.loop.id}, thread ${line.loop.thread}`]]
    : line.kind === "loop" ? Object.entries(line.loop.counts).map(([name, n]) => [name, count(n)]) : [["Loop", `${line.loop.id}, thread ${line.loop.thread}`]];
  $("d-facts").replaceChildren(...facts.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]));
  if (line.kind === "loop" && line.loop.stack) {
    $("d-text").textContent = line.loop.stack;
    $("d-text").hidden = false;
  }
}

function resetCancel() {
  $("d-cancel").textContent = "Cancel";
  $("d-cancel").classList.remove("sure");
}

$("d-close").onclick = () => { chosen = null; draw(); detail(); };
$("d-stack").onclick = async () => {
  try {
    $("d-text").textContent = await ask("stack?id=" + chosen.slice(1));
    $("d-text").hidden = false;
  } catch (e) { trouble(e.message); }
};
$("d-cancel").onclick = async () => {
  if (!$("d-cancel").classList.contains("sure")) {
    $("d-cancel").classList.add("sure");
    $("d-cancel").textContent = chosen[0] === "s" ? "Cancel all of it?" : "Really cancel?";
    return;
  }
  const kind = chosen[0] === "s" ? "scope" : "coroutine";
  try {
    $("d-text").textContent = await ask(`cancel/${kind}?id=${chosen.slice(1)}`, {method: "POST", headers: {"X-Couv-Secret": SECRET}});
    $("d-text").hidden = false;
  } catch (e) { trouble(e.message); }
  resetCancel();
};

// ---- beside it

/** A second of a loop: [when, lag, busy, turns, what one took on average, coroutines, p99 of what they took, the longest]. */
const charts = [
  [new Chart("c-turn", micros, 3), 4, 6, 7], [new Chart("c-lag", micros), 1], [new Chart("c-busy", n => Math.round(n / 10) + " %"), 2],
  [new Chart("c-turns", n => count(n) + "/s"), 3], [new Chart("c-coroutines", count), 5]
];

function table(id, rows, none) {
  $(id).replaceChildren(...(rows.length ? rows : [line([[none, "none"]])]));
}

function line(cells, onclick) {
  const made = element("tr", onclick ? "link" : "");
  for (const [text, kind] of cells) made.append(element("td", kind || "", text));
  if (onclick) made.onclick = onclick;
  return made;
}

function side() {
  const chosenLoop = $("loop").value, loops = seen.loops.map(loop => String(loop.id));
  if ([...$("loop").options].map(o => o.value).join() !== loops.join())
    $("loop").replaceChildren(...seen.loops.map(loop => Object.assign(element("option", "", `${loop.id}, ${loop.thread}`), {value: loop.id})));
  if (loops.includes(chosenLoop)) $("loop").value = chosenLoop;
  plot();
  const total = name => seen.loops.reduce((sum, loop) => sum + (loop.counts[name] || 0), 0);
  const busy = seen.loops.some(loop => loop.state === "busy");
  $("dot").className = "dot " + (busy ? "busy" : "live");
  $("facts").textContent = seen.loops.length === 0 ? "no loop is open"
    : `${some(total("coroutines"), "coroutine")}, ${count(total("ready"))} ready, ${some(total("handles"), "handle")}, ` +
      `${some(total("requests"), "request")}, ${some(loops.length, "loop")}, ${seen.engine} engine`;
  const awaits = Object.entries(seen.awaits).sort((a, b) => b[1] - a[1]), rest = awaits.splice(KINDS);
  const kinds = awaits.map(([kind, n]) =>
    line([[kind], [count(n), "n"]], () => { $("search").value = kind; $("search").dispatchEvent(new Event("input")); }));
  if (rest.length) kinds.push(line([[`and ${count(rest.length)} others`, "none"], [count(rest.reduce((sum, [, n]) => sum + n, 0)), "n"]]));
  table("awaits", kinds, "nobody awaits anything");
  const handles = {};
  for (const loop of seen.loops) for (const [kind, n] of Object.entries(loop.handles)) handles[kind] = (handles[kind] || 0) + n;
  table("handles", Object.entries(handles).sort((a, b) => b[1] - a[1]).map(([kind, n]) => line([[kind], [count(n), "n"]])), "none is open");
  queues();
  const busiest = Object.values(seen.samples).flatMap(each => each.busiest).filter(each => each[2] > 0).sort((a, b) => b[2] - a[2]).slice(0, 8);
  table("busiest", busiest.map(([id, name, permille]) => line([[name], [(permille / 10).toFixed(1) + " %", "n"]], () => choose("c" + id))), "nobody was seen running");
}

function queues() {
  const waiting = f => (f.senders || 0) + (f.receivers || 0) + (f.waiting || 0) + (f.pending || 0);
  const rows = [...seen.queues].filter(q => !q.figures.closed).sort((a, b) => waiting(b.figures) - waiting(a.figures)).slice(0, 50).map(queue => {
    const f = queue.figures, made = element("tr"), name = element("td", "", queue.name);
    const full = queue.kind === "channel" && f.senders > 0 && f.values >= f.capacity;
    const first = queue.kind === "channel" ? `${f.values} / ${f.capacity}` : queue.kind === "pool" ? `${f.running} running` : `${f.size - f.idle} / ${f.size} in use`;
    const second = queue.kind === "channel" ? `${f.senders} send, ${f.receivers} receive` : queue.kind === "pool" ? `${f.pending} pending, ${f.suspended} suspended` : `${f.waiting} waiting`;
    const figures = element("td", "n" + (full && f.capacity ? " full" : ""), first);
    figures.append(element("small", "", second));
    made.append(name, figures);
    return made;
  });
  table("queues", rows, "none is known: channels are, once somebody waits at them");
}

function plot() {
  const points = samples.get($("loop").value) || [];
  for (const [chart, ...columns] of charts) chart.show(points.map(p => [p[0], ...columns.map(column => p[column])]));
}

$("loop").onchange = plot;
$("pause").onclick = () => {
  paused = !paused;
  $("pause").setAttribute("aria-pressed", paused);
  $("pause").textContent = paused ? "Go on" : "Pause";
};
$("dump").onclick = async () => {
  try {
    $("text-body").textContent = await ask("dump");
    $("text").showModal();
  } catch (e) { trouble(e.message); }
};
$("copy").onclick = () => navigator.clipboard.writeText($("text-body").textContent);

ask("title").then(words => {
  $("title").textContent = words;
  document.title = words + " – Couv";
}, () => {});
poll();
