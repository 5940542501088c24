"use strict";
// Unpacks the chunks of the page (html_timeline.cpp, Flush) into rows, one for each pipe of each core.

const KINDS = ["record", "wait", "barrier", "call", "never satisfied", "not executed", "fault"];
const KIND = { record: 0, wait: 1, barrier: 2, call: 3, never: 4, queued: 5, fault: 6 };
const ROWS = ["SCALAR", "VECTOR", "CUBE", "MTE1", "MTE2", "MTE3", "FIXP", "FLOWCTRL", "CALLS"];
const COLOURS = ["scalar", "vector", "cube", "mte1", "mte2", "mte3", "fixp", "flow", "calls"];
const FLOW = 7, CALLS = 8;

const rowName = (row) => (row <= CALLS ? ROWS[row] : `CALLS ${row - CALLS + 1}`);
const colourOf = (row) => COLOURS[Math.min(row, CALLS)];

async function unpack(text) {
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) packed[i] = binary.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

class Chunk {
  constructor(buffer) {
    let at = 0;
    const words = (n, type = Uint32Array) => {
      const column = new type(buffer, at, n);
      at = (at + n * type.BYTES_PER_ELEMENT + 3) & ~3;
      return column;
    };
    const [texts, slices, arrows] = words(3);
    this.count = slices;
    this.ends = words(texts);
    for (const name of ["core", "gap", "length", "name", "file", "line", "record", "details", "bytes", "note", "after", "causes"])
      this[name] = words(slices, name === "gap" || name === "record" ? Int32Array : Uint32Array);
    this.row = words(slices, Uint8Array);
    this.kind = words(slices, Uint8Array);
    this.place = new Uint32Array(slices);  // of each slice in its row
    const a = { count: arrows };
    for (const name of ["fromCore", "toCore", "from", "length", "name"])
      a[name] = words(arrows, name === "from" || name === "length" ? Int32Array : Uint32Array);
    a.fromRow = words(arrows, Uint8Array);
    a.toRow = words(arrows, Uint8Array);
    this.arrows = a;
    this.bytesOfTexts = new Uint8Array(buffer, at);
    this.decoder = new TextDecoder();
  }
  text(index) {
    const begin = index ? this.ends[index - 1] : 0;
    return this.decoder.decode(this.bytesOfTexts.subarray(begin, this.ends[index]));
  }
  // Texts that hold the words, as a set of their numbers. Bytes are compared, letters of ASCII in either case.
  matching(words) {
    if (!this.flat) this.flat = new TextDecoder("latin1").decode(this.bytesOfTexts).toLowerCase();
    const wanted = Array.from(new TextEncoder().encode(words), (b) => String.fromCharCode(b)).join("").toLowerCase();
    const found = new Set();
    let text = 0;
    for (let at = this.flat.indexOf(wanted); at >= 0; at = this.flat.indexOf(wanted, at + 1)) {
      while (this.ends[text] <= at) ++text;
      if (at + wanted.length <= this.ends[text]) found.add(text);
    }
    return found;
  }
}

// Slices of one pipe in order; times in ticks.
class Row {
  constructor(core, row) {
    Object.assign(this, { core, row, n: 0, begin: new Float64Array(64), end: new Float64Array(64),
                          chunk: new Uint32Array(64), at: new Uint32Array(64) });
  }
  add(chunk, at, gap, length) {
    if (this.n === this.begin.length) {
      for (const name of ["begin", "end", "chunk", "at"]) {
        const more = new this[name].constructor(2 * this.n);
        more.set(this[name]);
        this[name] = more;
      }
    }
    const i = this.n++;
    this.begin[i] = (i ? this.end[i - 1] : 0) + gap;
    this.end[i] = this.begin[i] + length;
    this.chunk[i] = chunk;
    this.at[i] = at;
  }
  // The first slice that ends after t; the first that begins at t or later.
  endsAfter(t) { return bound(this.end, this.n, (x) => x > t); }
  beginsAt(t) { return bound(this.begin, this.n, (x) => x >= t); }
  // Work before slice i, in ticks.
  workBefore(i) { return this.work[i]; }
}

function bound(values, n, holds, from = 0) {
  let low = from, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(values[middle])) high = middle; else low = middle + 1;
  }
  return low;
}

const data = { chunks: [], rows: new Map(), arrows: new Map(), path: [], onPath: new Set(), end: 1, slices: 0, facts: null };

function rowOf(core, row) {
  const key = core * 256 + row;
  if (!data.rows.has(key)) data.rows.set(key, new Row(core, row));
  return data.rows.get(key);
}

async function load() {
  data.facts = JSON.parse(document.getElementById("facts").textContent);
  const arrows = [];
  let record = 0, from = 0;
  for (const script of document.querySelectorAll('script[type="application/x-sfumato"]')) {
    const chunk = new Chunk(await unpack(script.textContent));
    script.remove();
    const number = data.chunks.push(chunk) - 1;
    for (let i = 0; i < chunk.count; ++i) {
      const row = rowOf(chunk.core[i], chunk.row[i]);
      chunk.place[i] = row.n;
      row.add(number, i, chunk.gap[i], chunk.length[i]);
      chunk.record[i] = record += chunk.record[i];
    }
    chunk.first = data.slices;
    data.slices += chunk.count;
    const a = chunk.arrows;
    for (let i = 0; i < a.count; ++i) {
      a.from[i] = from += a.from[i];
      arrows.push([number, i]);
    }
  }
  for (const row of data.rows.values()) finishRow(row);
  // By the core they lead to, in the order of their ends.
  for (const [number, i] of arrows) {
    const a = data.chunks[number].arrows;
    if (!data.arrows.has(a.toCore[i])) data.arrows.set(a.toCore[i], []);
    data.arrows.get(a.toCore[i]).push({ number, i, from: a.from[i], to: a.from[i] + a.length[i] });
  }
  for (const list of data.arrows.values()) list.sort((x, y) => x.to - y.to);
  for (let number = data.facts.last; number;) {
    const { row, i, after } = placeOf(number);
    data.path.push({ row, i });
    data.onPath.add(number);
    number = after ? number - after : 0;
  }
  data.path.reverse();
}

// Of the slice of a number: its row, and where it is in it.
function placeOf(number) {
  const chunk = data.chunks[bound(data.chunks, data.chunks.length, (c) => c.first >= number) - 1];
  const at = number - 1 - chunk.first;
  return { row: rowOf(chunk.core[at], chunk.row[at]), i: chunk.place[at], after: chunk.after[at] };
}
const numberOf = (row, i) => data.chunks[row.chunk[i]].first + row.at[i] + 1;

function finishRow(row) {
  row.work = new Float64Array(row.n + 1);
  for (let i = 0; i < row.n; ++i) {
    const kind = data.chunks[row.chunk[i]].kind[row.at[i]];
    row.work[i + 1] = row.work[i] + (kind === KIND.record || kind === KIND.call ? row.end[i] - row.begin[i] : 0);
    data.end = Math.max(data.end, row.end[i]);
  }
}

// All of slice i of a row.
function sliceAt(row, i) {
  const c = data.chunks[row.chunk[i]], at = row.at[i];
  return { row, i, begin: row.begin[i], end: row.end[i], kind: c.kind[at], name: c.text(c.name[at]),
           file: c.text(c.file[at]), line: c.line[at], record: c.record[at], details: c.text(c.details[at]),
           bytes: c.bytes[at], note: c.text(c.note[at]), causes: causeNames(c.causes[at]),
           onPath: data.onPath.has(numberOf(row, i)) };
}

const causeNames = (bits) => data.facts.causes.filter((name, bit) => name && (bits >>> bit) & 1);

function arrowAt({ number, i, from, to }) {
  const chunk = data.chunks[number], a = chunk.arrows;
  return { from, to, fromCore: a.fromCore[i], toCore: a.toCore[i], fromRow: a.fromRow[i], toRow: a.toRow[i],
           name: chunk.text(a.name[i]) };
}

// The arrows that lead into a slice, and those that leave it.
function arrowsOf(s) {
  const into = [], out = [];
  const within = (at) => at >= s.begin && at < s.end;
  for (const [core, list] of data.arrows) {
    for (const arrow of list) {
      if (core === s.row.core && within(arrow.to)) {
        const a = arrowAt(arrow);
        if (a.toRow === s.row.row) into.push(a);
      }
      if (within(arrow.from)) {
        const a = arrowAt(arrow);
        if (a.fromCore === s.row.core && a.fromRow === s.row.row) out.push(a);
      }
    }
  }
  return { into, out };
}
