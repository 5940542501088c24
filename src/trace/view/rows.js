"use strict";
// What is where: lines of the picture from top to bottom, and times from left to right.

const GUTTER = 124, RULER = 44, LINE = 20, HEAD = 22, RATE = 46;
const view = { t0: 0, t1: 1, scroll: 0, width: 0, height: 0, lines: [], tall: 0, closed: new Set(), hits: null,
               hit: -1, picked: null, finding: null, over: null, arrows: true, path: true };

function placeLines() {
  view.lines = [];
  let top = 0;
  const put = (line, height) => { view.lines.push({ ...line, top, height }); top += height; };
  if (data.path.length && view.path) put({ path: true }, LINE + 4);
  const rates = new Set(data.facts.rates.map((r) => r[0]));
  for (const name of rates) put({ rate: name }, RATE);
  const rows = new Map();
  for (const row of data.rows.values()) {
    if (!rows.has(row.core)) rows.set(row.core, []);
    rows.get(row.core).push(row);
  }
  const order = (row) => (row.row >= CALLS ? row.row - 100 : row.row);
  for (const place of data.facts.places) {
    const own = (rows.get(place.core) || []).sort((a, b) => order(a) - order(b));
    put({ place }, HEAD);
    if (view.closed.has(place.core)) continue;
    for (const row of own) put({ row }, LINE);
  }
  view.tall = top;
  view.byRow = new Map(view.lines.filter((l) => l.row).map((l) => [l.row, l]));
  view.byCore = new Map(view.lines.filter((l) => l.place).map((l) => [l.place.core, l]));
  view.scroll = clamp(view.scroll, 0, Math.max(0, view.tall - (view.height - RULER)));
}

const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const xOf = (t) => GUTTER + ((t - view.t0) / (view.t1 - view.t0)) * (view.width - GUTTER);
const timeAt = (x) => view.t0 + ((x - GUTTER) / (view.width - GUTTER)) * (view.t1 - view.t0);
const yOf = (line) => RULER + line.top - view.scroll;
const lineAt = (y) => (y < RULER ? null : view.lines.find((l) => y >= yOf(l) && y < yOf(l) + l.height) || null);
// The line of a row, or that of its core where it has none.
const lineAtRow = (row) => view.byRow.get(row) || view.byCore.get(row.core);
const lineOf = (core, row) => view.byRow.get(data.rows.get(core * 256 + row)) || view.byCore.get(core);

function zoomTo(t0, t1) {
  const least = 2, most = data.end * 1.04;
  const length = clamp(t1 - t0, least, most), middle = (t0 + t1) / 2;
  view.t0 = clamp(middle - length / 2, -0.02 * data.end, Math.max(-0.02 * data.end, 1.02 * data.end - length));
  view.t1 = view.t0 + length;
  draw();
}

function zoomAt(x, factor) {
  const t = timeAt(Math.max(x, GUTTER));
  zoomTo(t - (t - view.t0) * factor, t + (view.t1 - t) * factor);
}

function pan(pixels) {
  const t = (pixels / (view.width - GUTTER)) * (view.t1 - view.t0);
  zoomTo(view.t0 + t, view.t1 + t);
}

function scrollBy(pixels) {
  view.scroll = clamp(view.scroll + pixels, 0, Math.max(0, view.tall - (view.height - RULER)));
  draw();
}

// Brings a slice into the picture.
function show(s, zoom) {
  view.closed.delete(s.row.core);
  placeLines();
  const line = lineOf(s.row.core, s.row.row);
  if (line.top < view.scroll || line.top + line.height > view.scroll + view.height - RULER)
    view.scroll = clamp(line.top - view.height / 3, 0, Math.max(0, view.tall - (view.height - RULER)));
  const length = s.end - s.begin;
  const room = zoom ? length * 24 : view.t1 - view.t0;
  if (zoom || s.begin < view.t0 || s.end > view.t1) {
    const middle = (s.begin + s.end) / 2;
    zoomTo(middle - room / 2, middle + room / 2);
  } else draw();
}

// A time in words: steps, or microseconds of an estimate.
function timeText(ticks, places) {
  const units = ticks / data.facts.ticks;
  if (!data.facts.estimate) return `${+units.toFixed(2)}`;
  const us = units * data.facts.us;
  return Math.abs(us) >= 1000 && places === undefined ? `${+(us / 1000).toFixed(3)} ms` : `${+us.toFixed(places ?? 3)} us`;
}
const lengthText = (ticks) => {
  const units = ticks / data.facts.ticks;
  return data.facts.estimate ? `${timeText(ticks)} (${+units.toFixed(1)} ${data.facts.unit}s)` :
    `${+units.toFixed(2)} ${data.facts.unit}${units === 1 ? "" : "s"}`;
};
