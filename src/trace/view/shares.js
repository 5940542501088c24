"use strict";
// How long pipes work, wait and idle, by core and in the mean; which part of the critical path each has.

// Of every place: when it began and ended, and how long each of its pipes was busy and waited. Of a launch with an
// estimate as the model says, of others as the slices are drawn. In units of the timeline.
let uses = null;
function usesOf() {
  if (uses) return uses;
  if (data.facts.uses.length && data.facts.time) return (uses = data.facts.uses);
  const found = new Map();
  for (const row of data.rows.values()) {
    if (row.row >= CALLS) continue;
    if (!found.has(row.core)) found.set(row.core, { core: row.core, busy: Array(CALLS).fill(0), waiting: Array(CALLS).fill(0) });
    const use = found.get(row.core), flow = row.row === FLOW;
    for (let i = 0; i < row.n; ++i) {
      const kind = data.chunks[row.chunk[i]].kind[row.at[i]], long = (row.end[i] - row.begin[i]) / data.facts.ticks;
      if (kind === KIND.record) use.busy[row.row] += long;
      if (kind === KIND.wait || kind === KIND.barrier) use.waiting[flow ? 0 : row.row] += long;  // the scalar unit waits
    }
  }
  return (uses = [...found.values()].sort((a, b) => a.core - b.core));
}

// The time that shares are parts of, in units: until the last core ends.
const wholeTime = () => (data.facts.time ? data.facts.time.cycles : data.end / data.facts.ticks);
const kindOf = (core) => placeName(core).replace(/[\d.]+$/, "");

// Cores of a kind that work; a launch of more blocks has a place for every block.
function coresOf(kind) {
  const places = data.facts.places.filter((p) => kindOf(p.core) === kind).length;
  return data.facts.time ? (data.facts.time.cores * places) / data.facts.places.length : places;
}

const coresText = () => {
  const n = data.facts.time ? data.facts.time.cores : data.facts.places.length;
  return `${n} core${n === 1 ? "" : "s"}`;
};

// For each kind of core: what its pipes do in the mean of its cores, as shares.
function meansOf() {
  const kinds = new Map();
  for (const use of usesOf()) {
    const kind = kindOf(use.core);
    if (!kinds.has(kind)) kinds.set(kind, { kind, cores: coresOf(kind), busy: Array(CALLS).fill(0), waiting: Array(CALLS).fill(0) });
    const sum = kinds.get(kind);
    for (const what of ["busy", "waiting"]) use[what].forEach((time, row) => (sum[what][row] += time));
  }
  return [...kinds.values()].map((sum) => ({
    ...sum, busy: sum.busy.map((t) => t / sum.cores / wholeTime()), waiting: sum.waiting.map((t) => t / sum.cores / wholeTime()),
  }));
}

// Of a core, as shares.
const sharesOf = (use) => ({ busy: use.busy.map((t) => t / wholeTime()), waiting: use.waiting.map((t) => t / wholeTime()) });
const usedRows = (list) => [...Array(FLOW).keys()].filter((row) => list.some((s) => s.busy[row] > 0 || s.waiting[row] > 0));

const percent = (share) => (share > 0 && share < 0.01 ? "<1" : `${Math.round(100 * share)}`);

// "62 %" of a row, for its name; "": none.
let useOf = null;
function shareText(row) {
  if (row.row >= FLOW) return "";
  useOf ??= new Map(usesOf().map((use) => [use.core, use]));
  const use = useOf.get(row.core);
  return use ? `${percent(sharesOf(use).busy[row.row])} %` : "";
}

function shareCell(shares, row) {
  const cell = node("td"), bar = node("div", undefined, "shares");
  const busy = shares.busy[row], waiting = shares.waiting[row], idle = Math.max(0, 1 - busy - waiting);
  if (busy === 0 && waiting === 0) return cell;
  for (const [name, part] of [["busy", busy], ["waiting", waiting]]) {
    const piece = node("span", undefined, name);
    piece.style.width = `${100 * part}%`;
    if (name === "busy") piece.style.background = `var(--${colourOf(row)})`;
    bar.append(piece);
  }
  cell.append(node("div", [busy, waiting, idle].map(percent).join(" / ")), bar);
  return cell;
}

// A table for each kind of core, as they have different pipes.
const MOST_CORES = 200;
function pipesTable() {
  const parts = [note(data.facts.time ?
    `Busy / waiting at flags and barriers / idle, in % of the core time of the launch, ${timeText(data.end)}. A pipe that loads is busy until its data are there.` :
    `Busy / waiting at flags and barriers / idle, in % of the ${timeText(data.end)} steps of the launch.`)];
  for (const mean of meansOf()) {
    const table = node("table", undefined, "pipes"), head = node("tr"), rows = usedRows([mean]);
    for (const title of ["", ...rows.map(rowName)]) head.append(node("th", title));
    table.append(head);
    const line = (title, shares, name) => {
      const tr = node("tr", undefined, name);
      tr.append(node("td", title), ...rows.map((row) => shareCell(shares, row)));
      table.append(tr);
      return tr;
    };
    const own = usesOf().filter((use) => kindOf(use.core) === mean.kind);
    line(`mean of ${+mean.cores.toFixed(1)} ${mean.kind}`, mean, "mean");
    for (const use of own.slice(0, MOST_CORES)) {
      const ends = data.facts.time ? `, ${timeText(use.begin * data.facts.ticks, 2)} to ${timeText(use.end * data.facts.ticks, 2)}` : "";
      line(placeName(use.core) + ends, sharesOf(use), "one").onclick = () => showPlace(use.core);
    }
    parts.push(table);
    if (own.length > MOST_CORES) parts.push(note(`and ${own.length - MOST_CORES} more ${mean.kind}`));
  }
  return parts;
}

function showPlace(core) {
  view.closed.delete(core);
  placeLines();
  const line = view.lines.find((l) => l.place && l.place.core === core);
  if (line) view.scroll = clamp(line.top, 0, Math.max(0, view.tall - (view.height - RULER)));
  draw();
}

// The parts of the critical path by pipe, the greatest first: [pipe, share, rows].
function pathByPipe() {
  const pipes = new Map();
  for (const part of data.facts.time.critical_path) {
    if (!pipes.has(part.pipe)) pipes.set(part.pipe, { pipe: part.pipe, share: 0, us: 0, parts: [] });
    const sum = pipes.get(part.pipe);
    sum.share += part.share;
    sum.us += part.us;
    sum.parts.push(part);
  }
  return [...pipes.values()].sort((a, b) => b.share - a.share);
}

// The rows of the pipes as the estimate names them.
const ROW_OF_PIPE = { S: 0, V: 1, M: 2, MTE1: 3, MTE2: 4, MTE3: 5, FIX: 6 };

function pathTable() {
  const table = node("table"), head = node("tr"), bar = node("div", undefined, "shares path");
  for (const title of ["pipe", "spent on", "time", "of core time"]) head.append(node("th", title));
  table.append(head);
  for (const { pipe, share, us, parts } of pathByPipe()) {
    const row = ROW_OF_PIPE[pipe], name = row === undefined ? pipe : rowName(row);
    const piece = node("span", share > 0.1 ? `${name} ${percent(share)} %` : "");
    piece.style.width = `${100 * share}%`;
    piece.style.background = `var(--${row === undefined ? "flow" : colourOf(row)})`;
    piece.title = `${name} ${percent(share)} %`;
    bar.append(piece);
    const line = (texts, kind) => {
      const tr = node("tr", undefined, kind);
      for (const text of texts) tr.append(node("td", text));
      if (row !== undefined) tr.onclick = () => markPath(row, name);
      table.append(tr);
    };
    line([name, "all of it", usText(us), `${percent(share)} %`], "mean");
    for (const part of parts) line(["", part.cause, usText(part.us), `${percent(part.share)} %`], "one");
  }
  const cores = new Set(data.path.map((p) => p.row.core));
  return [note(`What the core time of the launch, ${timeText(data.end)}, is spent on: the longest way from its beginning to its end. ` +
    `It leads through ${data.path.length.toLocaleString("en")} slices of ${[...cores].slice(0, 4).map(placeName).join(", ")}` +
    `${cores.size > 4 ? ` and ${cores.size - 4} more` : ""}; click a row to mark those of its pipe.`), bar, table];
}

const usText = (us) => (us >= 1000 ? `${+(us / 1000).toFixed(3)} ms` : `${+us.toPrecision(3)} us`);

// Marks the slices of the critical path in this row, and goes to the longest.
function markPath(row, name) {
  mark((c, at) => c.row[at] === row && data.onPath.has(c.first + at + 1), `critical path, ${pipe}`);
  goToLongest();
}
