"use strict";
// What is said of a slice, its source, and the lists below the picture.

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
  if (s.causes.length) rows.push(["loses by", s.causes.join(", ")]);
  if (s.onPath) rows.push(["critical path", "it is on it"]);
  return rows;
}

function showTip(s, x, y) {
  const tip = element("tip");
  if (!s) { tip.hidden = true; return; }
  tip.replaceChildren(node("b", s.name), node("span", `  ${KINDS[s.kind]}, ${placeName(s.row.core)}\n`, "faint"));
  for (const [key, text] of rowsOf(s).slice(2)) {
    tip.append(node("span", `${key} `, "faint"), node("span", `${text}\n`, key === "operands" ? "ops" : ""));
  }
  placeTip(tip, x, y);
}

function placeTip(tip, x, y) {
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${clamp(x + 14, 4, Math.max(4, view.width - box.width - 6))}px`;
  tip.style.top = `${y + 18 + box.height > view.height ? Math.max(4, y - box.height - 10) : y + 18}px`;
}

// turn: on a narrow page, from the list to what is said of the slice. finding: what is said first.
function tellFlag(flag, x, y) {
  const tip = element("tip");
  tip.replaceChildren(node("span", flag.finding.text));
  placeTip(tip, x, y);
}

function pick(s, turn = true, finding = null) {
  view.picked = s;
  view.finding = finding;
  if (s) s.links = arrowsOf(s);
  if (turn) element("panel").classList.toggle("side", !!(s || finding));
  tellAbout();
  tellTabs();
  draw();
}

// The picked slice or finding; else how the page is used.
function tellAbout() {
  const s = view.picked, finding = view.finding, about = element("about");
  if (!s && !finding) { about.replaceChildren(...keysList()); return; }
  const parts = [];
  if (finding) {
    const said = node("pre", finding.text, "said");
    said.style.borderColor = severityColour(finding);
    parts.push(said);
  }
  if (finding && finding.line) parts.push(sourceOf(finding));
  if (s) {
    parts.push(factsOf(s));
    if (!finding) parts.push(sourceOf(s));
  }
  about.replaceChildren(...parts);
  about.scrollTop = 0;
}

function factsOf(s) {
  const box = node("div"), facts = node("dl");
  box.append(node("b", s.name));
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
  box.append(facts);
  return box;
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

// Lines of the source by the time their instructions take, summed up over the cores.
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
  const table = node("table"), head = node("tr"), time = data.facts.time;
  const sum = data.facts.places.length > 1 ? `, sum over ${coresText()}` : "";
  const onPath = new Map(time ? time.lines.map((l) => [`${l.file}:${l.line}`, l.path_share]) : []);
  const titles = ["line", "pipe", "instructions", data.facts.estimate ? `busy${sum}` : `steps${sum}`, `moved${sum}`];
  for (const title of [...titles, ...(time ? ["of the critical path"] : [])]) head.append(node("th", title));
  table.append(head);
  for (const s of byLine.slice(0, 100)) {
    const tr = node("tr", undefined, "one");
    tr.dataset.line = `${fileName(s.file)}:${s.line}`;
    const share = onPath.get(`${s.file}:${s.line}`);
    for (const text of [`${fileName(s.file)}:${s.line}  ${s.name}`, rowName(s.row), s.n.toLocaleString("en"),
                        data.facts.estimate ? timeText(s.time) : Math.round(s.time / data.facts.ticks).toLocaleString("en"),
                        s.bytes ? sized(s.bytes) : "", ...(time ? [share > 0 ? `${percent(share)} %` : ""] : [])])
      tr.append(node("td", text));
    tr.onclick = () => { element("find").value = tr.dataset.line; search(tr.dataset.line); nextHit(1, false); };
    table.append(tr);
  }
  const whole = data.facts.estimate ? `the core time of the launch, ${timeText(data.end)}` : `the ${timeText(data.end)} steps of the launch`;
  return sum ? [note(`Cores work at the same time: what they sum up to can be more than ${whole}.`), table] : [table];
}

function keysList() {
  return [
    "Click: all about an instruction, its source, what it waits for. Double click: zoom to it.",
    "Ctrl + wheel, or w and s: zoom. Drag, shift + wheel, or a and d: move. Wheel: cores. Drag in the ruler: zoom to a part.",
    "/: search, Enter and Shift + Enter: matches. f: all. r: arrows. p: critical path. Esc: let go. Names of cores open and close.",
    data.facts.estimate ? `Times are an estimate: ${data.facts.estimate}.` :
      "No times: every instruction takes one step, and begins as soon as what it must wait for has ended. What stands side by side may overlap.",
  ].map(note);
}

// The lists of the panel: [name, what it holds, whether this timeline has it].
const TABS = [
  ["Findings", findingsList, () => data.facts.findings.length > 0],
  ["Hints", hintsList, () => !!data.facts.time],
  ["Critical path", pathTable, () => !!data.facts.time],
  ["Pipes", pipesTable, () => true],
  ["Lines", linesTable, () => true],
];
const COUNTS = { Findings: () => data.facts.findings.length, Hints: () => data.facts.time.hints.length };

function openTab(name) {
  view.tab = name;
  element("panel").classList.remove("side");
  element("list").replaceChildren(...TABS.find((t) => t[0] === name)[1]());
  element("list").scrollTop = 0;
  tellTabs();
}

function tellTabs() {
  const side = element("panel").classList.contains("side");
  const tab = (name, text, chosen, onclick) => {
    const made = node("button", text, name);
    made.setAttribute("role", "tab");
    made.setAttribute("aria-selected", chosen);
    made.onclick = onclick;
    return made;
  };
  const tabs = TABS.filter((t) => t[2]()).map(([name]) =>
    tab("", COUNTS[name] ? `${name} (${COUNTS[name]()})` : name, name === view.tab, () => openTab(name)));
  tabs.push(tab("narrow", view.picked || view.finding ? "Picked" : "Keys", side, () => { element("panel").classList.add("side"); tellTabs(); }));
  element("tabs").replaceChildren(...tabs);
}
