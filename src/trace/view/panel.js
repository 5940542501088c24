"use strict";
// What is said of a slice, its source, the lines that take most, and the search.

const element = (id) => document.getElementById(id);
function node(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}
const placeName = (core) => (data.facts.places.find((p) => p.core === core) || { name: `core ${core}` }).name;
const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);
const sized = (n) => (n >= 10240 ? `${+(n / 1024).toFixed(1)} KiB` : `${n} B`);

function rowsOf(s) {
  const rows = [["what", KINDS[s.kind]], ["where", `${placeName(s.row.core)}, ${rowName(s.row.row)}`]];
  if (s.file) rows.push(["line", `${fileName(s.file)}:${s.line}`]);
  rows.push([data.facts.estimate ? "begins" : "step", timeText(s.begin)], ["takes", lengthText(s.end - s.begin)]);
  if (s.details) rows.push([s.kind === KIND.record || s.kind === KIND.queued ? "operands" : "flag", s.details]);
  if (s.bytes) rows.push(["bytes", sized(s.bytes)]);
  rows.push([s.kind === KIND.call ? "from record" : "record", `#${s.record}`]);
  if (s.note) rows.push([s.kind === KIND.record ? "cost" : "report", s.note]);
  return rows;
}

function showTip(s, x, y) {
  const tip = element("tip");
  if (!s) { tip.hidden = true; return; }
  tip.replaceChildren(node("b", s.name), node("span", `  ${KINDS[s.kind]}, ${placeName(s.row.core)}\n`, "faint"));
  for (const [key, text] of rowsOf(s).slice(2)) {
    tip.append(node("span", `${key} `, "faint"), node("span", `${text}\n`, key === "operands" ? "ops" : ""));
  }
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${clamp(x + 14, 4, Math.max(4, view.width - box.width - 6))}px`;
  tip.style.top = `${y + 18 + box.height > view.height ? Math.max(4, y - box.height - 10) : y + 18}px`;
}

function pick(s) {
  view.picked = s;
  if (s) s.links = arrowsOf(s);
  const panel = element("panel");
  if (!s) { panel.replaceChildren(...linesTable()); draw(); return; }
  const left = node("div"), facts = node("dl");
  left.append(node("b", s.name));
  for (const [key, text] of rowsOf(s)) {
    const value = node("dd");
    value.append(node(key === "operands" ? "code" : "span", text));
    facts.append(node("dt", key), value);
  }
  for (const [key, list, end] of [["waits for", s.links.into, "from"], ["leads to", s.links.out, "to"]]) {
    if (!list.length) continue;
    const names = list.slice(0, 12).map((a) =>
      `${placeName(a[`${end}Core`])} ${rowName(a[`${end}Row`])} at ${timeText(a[end])}: ${a.name}`);
    facts.append(node("dt", key), node("dd", names.join("\n") + (list.length > 12 ? `\nand ${list.length - 12} more` : "")));
  }
  left.append(facts);
  panel.replaceChildren(left, sourceOf(s));
  panel.scrollTop = 0;
  draw();
}

function sourceOf(s) {
  const text = data.facts.sources[s.file], box = node("div");
  if (!text) { box.append(node("span", s.file ? `${s.file}:${s.line}` : "", "faint")); return box; }
  box.append(node("span", `${s.file}:${s.line}`, "faint"));
  const pre = node("pre"), lines = text.split("\n");
  for (let n = Math.max(1, s.line - 7); n <= Math.min(lines.length, s.line + 7); ++n)
    pre.append(node("div", `${String(n).padStart(5)}  ${lines[n - 1]}`, n === s.line ? "at" : ""));
  box.append(pre);
  return box;
}

// Lines of the source by the time their instructions take, all cores together.
let byLine = null;
function linesTable() {
  if (!byLine) {
    const sums = new Map();
    for (const row of data.rows.values()) {
      for (let i = 0; i < row.n; ++i) {
        const c = data.chunks[row.chunk[i]], at = row.at[i];
        if (c.kind[at] !== KIND.record) continue;
        c.keys ??= new Map();
        const own = c.file[at] * 1048576 + c.line[at];
        let sum = c.keys.get(own * 16 + row.row);
        if (!sum) {
          const key = `${c.text(c.file[at])}:${c.line[at]} ${row.row}`;
          sum = sums.get(key) || { file: c.text(c.file[at]), line: c.line[at], row: row.row, name: c.text(c.name[at]), n: 0, time: 0, bytes: 0 };
          sums.set(key, sum);
          c.keys.set(own * 16 + row.row, sum);
        }
        ++sum.n;
        sum.time += row.end[i] - row.begin[i];
        sum.bytes += c.bytes[at];
      }
    }
    byLine = [...sums.values()].sort((a, b) => b.time - a.time);
  }
  const table = node("table"), head = node("tr");
  for (const title of ["line", "pipe", "records", data.facts.estimate ? "busy, estimate" : "steps", "moved"]) head.append(node("th", title));
  table.append(head);
  for (const s of byLine.slice(0, 100)) {
    const tr = node("tr");
    tr.dataset.line = `${fileName(s.file)}:${s.line}`;
    for (const text of [`${fileName(s.file)}:${s.line}  ${s.name}`, rowName(s.row), s.n.toLocaleString("en"),
                        data.facts.estimate ? timeText(s.time) : Math.round(s.time / data.facts.ticks).toLocaleString("en"),
                        s.bytes ? sized(s.bytes) : ""]) tr.append(node("td", text));
    tr.onclick = () => { element("find").value = tr.dataset.line; search(tr.dataset.line); nextHit(1); };
    table.append(tr);
  }
  const left = node("div"), right = node("div", undefined, "faint keys");
  left.append(table);
  right.append(...[
    "Click: all about an instruction, its source, what it waits for. Double click: zoom to it.",
    "Ctrl + wheel, or w and s: zoom. Drag, shift + wheel, or a and d: move. Wheel: cores. Drag in the ruler: zoom to a part.",
    "/: search, Enter and Shift + Enter: matches. f: all. r: arrows. Esc: let go. Names of cores open and close.",
    data.facts.estimate ? `Times are an estimate: ${data.facts.estimate}.` :
      "No times: every instruction takes one step, and begins as soon as what it must wait for has ended. What stands side by side may overlap.",
  ].map((text) => node("p", text)));
  return [left, right];
}

// Slices whose name, line, operands or report hold the words: numbers of slices, by row.
function search(words) {
  view.hits = null;
  view.hit = -1;
  view.order = [];
  const wanted = words.trim();
  if (wanted) {
    const place = /^(.*):(\d+)$/.exec(wanted);
    const sets = data.chunks.map((c) => ({ texts: c.matching(wanted), files: place && c.matching(place[1]), line: place && +place[2] }));
    view.hits = new Map();
    for (const row of data.rows.values()) {
      const found = [];
      for (let i = 0; i < row.n; ++i) {
        const c = data.chunks[row.chunk[i]], at = row.at[i], set = sets[row.chunk[i]];
        if (set.texts.has(c.name[at]) || set.texts.has(c.details[at]) || set.texts.has(c.note[at]) ||
            (place && c.line[at] === set.line && set.files.has(c.file[at]))) found.push(i);
      }
      if (found.length) view.hits.set(row, Uint32Array.from(found));
    }
    for (const line of view.lines) if (line.row && view.hits.has(line.row)) view.order.push(line.row);
  }
  tellHits();
  draw();
}

const hitCount = () => (view.hits ? [...view.hits.values()].reduce((n, h) => n + h.length, 0) : 0);
function tellHits() {
  const n = hitCount();
  element("hits").textContent = !view.hits ? "" : view.hit < 0 ? `${n.toLocaleString("en")} found` : `${(view.hit + 1).toLocaleString("en")} of ${n.toLocaleString("en")}`;
}

function nextHit(step) {
  const n = hitCount();
  if (!n) return;
  view.hit = (view.hit + step + n + (view.hit < 0 && step < 0 ? 1 : 0)) % n;
  let left = view.hit;
  for (const [row, hits] of view.hits) {
    if (left < hits.length) {
      const s = sliceAt(row, hits[left]);
      show(s, view.t1 - view.t0 > 200 * (s.end - s.begin));
      pick(s);
      break;
    }
    left -= hits.length;
  }
  tellHits();
}
