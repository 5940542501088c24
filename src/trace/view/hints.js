"use strict";
// The hints of an estimate and the findings of the launch: what they say, and which slices they are about.

function note(text) { return node("p", text, "faint"); }

// Slices of which this holds are underlined, and the others faint, until something else is looked for.
function mark(holds, what) {
  view.hits = new Map();
  view.hit = -1;
  view.marked = what;
  for (const row of data.rows.values()) {
    const found = [];
    for (let i = 0; i < row.n; ++i) if (holds(data.chunks[row.chunk[i]], row.at[i])) found.push(i);
    if (found.length) view.hits.set(row, Uint32Array.from(found));
  }
  tellHits();
}

// Of the marked slices, the longest of those at a line, where there are such: shown, and picked.
function goToLongest(file, line) {
  let best = null;
  for (const [row, hits] of view.hits) {
    for (const i of hits) {
      const c = data.chunks[row.chunk[i]], at = row.at[i];
      const here = !!line && c.line[at] === line && c.text(c.file[at]) === file, long = row.end[i] - row.begin[i];
      if (!best || here > best.here || (here === best.here && long > best.long)) best = { here, long, row, i };
    }
  }
  if (!best) return null;
  const s = sliceAt(best.row, best.i);
  show(s, view.t1 - view.t0 > 60 * (s.end - s.begin));
  pick(s, false);
  return s;
}

// What is about the launch as a whole shows where it can be seen.
const WHOLE = { "uneven cores": () => data.path[data.path.length - 1] };

function showHint(hint) {
  const bit = data.facts.causes.indexOf(hint.name);
  mark((c, at) => bit > 0 && (c.causes[at] >>> bit) & 1, hint.name);
  if (!view.hits.size && hint.line) mark((c, at) => c.line[at] === hint.line && c.text(c.file[at]) === hint.file, hint.name);
  if (view.hits.size) return goToLongest(hint.file, hint.line);
  search("");
  element("hits").textContent = `${hint.name}: the whole launch`;
  const place = WHOLE[hint.name] && WHOLE[hint.name]();
  if (!place) { fit(); return null; }
  const s = sliceAt(place.row, place.i);
  show(s, false);
  pick(s, false);
  return s;
}

function gainText(hint) {
  if (hint.gain_us === null) return "gain not modelled";
  const share = data.facts.time.core_us ? ` (${percent(hint.gain_us / data.facts.time.core_us)} %)` : "";
  return `gain ${hint.at_most ? "at most " : ""}${usText(hint.gain_us)}${share}`;
}

function hintsList() {
  const hints = data.facts.time.hints;
  if (!hints.length) return [note("No hint: no cause of lost time was found whose removal would gain half a percent.")];
  const cards = hints.map((hint) => {
    const card = node("button", undefined, "card"), head = node("div");
    head.append(node("b", hint.name), node("span", gainText(hint), "gain"));
    card.append(head, node("div", hint.found), node("div", `Do: ${hint.advice}.`));
    card.append(node("div", `${hint.line ? `${fileName(hint.file)}:${hint.line}; ` : ""}sources ${hint.source}`, "faint"));
    card.onclick = () => { choose(card); showHint(hint); };
    return card;
  });
  return [note("What costs time, and the core time that a model of the launch without it needs less, an estimate. Gains of several do not add up. Click: marks the slices it is about, and goes to the longest at its line."), ...cards];
}

function choose(card) {
  for (const other of element("list").children) if (other.className === "card") other.setAttribute("aria-pressed", other === card);
}

// Where the findings stand: [finding, core, row, time, slice or null]. A finding names its core, and how many
// instructions that core had issued; one about an instruction that has no slice stands where the next begins.
let stands = null;
function findingPlaces() {
  if (stands) return stands;
  stands = [];
  for (const finding of data.facts.findings) {
    const place = data.facts.places.find((p) => p.name === finding.core);
    if (!place) continue;
    let best = null;
    for (const row of data.rows.values()) {
      if (row.core !== place.core || row.row >= CALLS) continue;
      for (let i = 0; i < row.n; ++i) {
        const c = data.chunks[row.chunk[i]], at = row.at[i];
        if (c.record[at] < finding.index) continue;
        const own = c.record[at] === finding.index;
        const fits = own ? 1 + (c.text(c.name[at]) === finding.instruction) + 2 * (c.kind[at] >= KIND.never && c.kind[at] !== KIND.queued) : 0;
        if (!best || fits > best.fits || (fits === best.fits && row.begin[i] < row.begin0)) best = { fits, row, i };
      }
    }
    if (!best) stands.push({ finding, core: place.core, row: 0, at: data.end, slice: null });
    else stands.push({ finding, core: place.core, row: best.fits > 1 ? best.row.row : 0, at: best.row.begin[best.i],
                       slice: best.fits > 1 ? sliceAt(best.row, best.i) : null });
  }
  return stands;
}

function showFinding(finding) {
  const stand = findingPlaces().find((s) => s.finding === finding);
  view.finding = finding;
  if (stand) {
    const row = rowOf(stand.core, stand.row);
    show(stand.slice || { row, begin: stand.at, end: stand.at }, false);
  }
  pick(stand ? stand.slice : null, true, finding);
}

function findingsList() {
  const findings = data.facts.findings;
  if (!findings.length) return [note("No findings.")];
  return findings.map((finding) => {
    const card = node("button", undefined, "card"), head = node("div");
    head.append(node("b", `${finding.severity} ${finding.rule}`, finding.severity));
    head.append(node("span", [finding.core, finding.line ? `${fileName(finding.file)}:${finding.line}` : ""].filter(Boolean).join(", "), "gain"));
    card.append(head, node("div", finding.message));
    for (const [title, text] of [["found", [finding.operand, finding.found].filter(Boolean).join(": ")], ["legal", finding.legal], ["do", finding.hint]])
      if (text) card.append(node("div", `${title}: ${text}`, "faint"));
    card.onclick = () => { choose(card); showFinding(finding); };
    return card;
  });
}
