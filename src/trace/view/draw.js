"use strict";
// The picture. Of a row, slices of a pixel and more are drawn one by one; of what is smaller each column of pixels shows
// which part of it the pipe works. So a picture costs as much as it is wide, whatever the number of slices.

const canvas = document.getElementById("canvas");
const pen = canvas.getContext("2d");
let colours = {}, shades = new Map(), pending = false;

function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = {};
  for (const name of ["back", "fore", "faint", "line", "soft", "mark", "pick", "wait", "never", "queued", "inside", "path", "warn", ...COLOURS])
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  shades = new Map();
}

// Names of one pipe differ a little in their shade.
function shadeOf(row, name) {
  const key = `${Math.min(row, CALLS)} ${name}`;
  if (!shades.has(key)) {
    let hash = 7;
    for (const c of name) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
    const base = colours[colourOf(row)], mix = (hash & 32 ? 0.45 : 1) * (hash % 5) * 7;
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(base.slice(i, i + 2), 16));
    const other = hash & 32 ? 255 : 0, part = mix / 100;
    shades.set(key, `rgb(${[r, g, b].map((v) => Math.round(v + (other - v) * part)).join(",")})`);
  }
  return shades.get(key);
}

function draw() {
  if (pending) return;
  pending = true;
  requestAnimationFrame(() => { pending = false; drawNow(); });
}

function resize() {
  const box = canvas.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(box.width * scale);
  canvas.height = Math.round(box.height * scale);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  view.width = box.width;
  view.height = box.height;
  placeLines();
}

function drawNow() {
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, view.width, view.height);
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  drawGrid();
  pen.save();
  pen.beginPath();
  pen.rect(0, RULER, view.width, view.height - RULER);
  pen.clip();
  for (const line of view.lines) {
    const y = yOf(line);
    if (y + line.height < RULER || y > view.height) continue;
    if (line.row) drawRow(line.row, y);
    else if (line.rate) drawRate(line.rate, y);
    else if (line.path) drawPathLine(y + 2);
    else drawHead(line.place, y);
  }
  if (view.arrows) drawArrows();
  drawLabels();
  if (view.path) drawPath();
  drawFindings();
  drawPicked();
  drawGutter();
  pen.restore();
  drawRuler();
}

function grid() {
  const unit = data.facts.ticks * (data.facts.estimate ? 1 / data.facts.us : 1);  // a step, or a microsecond
  const wanted = ((view.t1 - view.t0) / unit) * (90 / Math.max(1, view.width - GUTTER));
  const power = 10 ** Math.floor(Math.log10(wanted));
  let step = [1, 2, 5, 10].find((m) => m * power >= wanted) * power;
  if (!data.facts.estimate) step = Math.max(1, step);
  const marks = [];
  for (let t = Math.max(0, Math.ceil(view.t0 / unit / step)) * step; t * unit <= view.t1; t += step) marks.push(t * unit);
  return marks;
}

function drawGrid() {
  pen.fillStyle = colours.line;
  for (const t of grid()) pen.fillRect(Math.round(xOf(t)), RULER - 6, 1, view.height);
}

// Above: all of the launch, and what of it is shown.
function drawRuler() {
  pen.fillStyle = colours.back;
  pen.fillRect(0, 0, view.width, RULER);
  const wide = view.width - GUTTER, columns = overview(Math.round(wide));
  for (let x = 0; x < columns.length; ++x) {
    if (columns[x] <= 0) continue;
    const high = Math.max(1, columns[x] * 14);
    pen.fillStyle = colours.scalar;
    pen.fillRect(GUTTER + x, 18 - high, 1, high);
  }
  const left = GUTTER + (view.t0 / data.end) * wide, right = GUTTER + (view.t1 / data.end) * wide;
  pen.strokeStyle = colours.mark;
  pen.lineWidth = 1.5;
  pen.strokeRect(clamp(left, GUTTER, view.width), 2, Math.max(3, clamp(right, GUTTER, view.width) - clamp(left, GUTTER, view.width)), 17);
  pen.fillStyle = colours.faint;
  pen.textAlign = "left";
  for (const t of grid()) pen.fillText(timeText(t), Math.round(xOf(t)) + 3, 31);
  pen.fillText(data.facts.estimate ? "estimate" : "steps", 8, 31);
  pen.fillStyle = colours.line;
  pen.fillRect(0, RULER - 1, view.width, 1);
}

let overviewOf = { width: -1, columns: [] };
function overview(width) {
  if (overviewOf.width === width) return overviewOf.columns;
  const columns = new Float64Array(Math.max(1, width));
  let rows = 0;
  for (const row of data.rows.values()) {
    if (row.row >= 7 || row.work[row.n] === 0) continue;
    ++rows;
    for (let x = 0; x < width; ++x) columns[x] += busy(row, (x / width) * data.end, ((x + 1) / width) * data.end);
  }
  const most = Math.max(...columns) || 1;
  overviewOf = { width, columns: columns.map((c) => c / most) };
  return overviewOf.columns;
}

// Which part of [t0, t1) the pipe works.
function busy(row, t0, t1) {
  const first = row.endsAfter(t0), last = bound(row.begin, row.n, (x) => x >= t1, first);
  if (last <= first) return 0;
  let work = row.work[last] - row.work[first];
  if (row.work[first + 1] > row.work[first]) work -= Math.max(0, t0 - row.begin[first]);
  if (row.work[last] > row.work[last - 1]) work -= Math.max(0, row.end[last - 1] - t1);
  return work / (t1 - t0);
}

function drawRow(row, y) {
  const perPixel = (view.t1 - view.t0) / (view.width - GUTTER);
  const base = colours[colourOf(row.row)];
  for (let i = row.endsAfter(view.t0); i < row.n && row.begin[i] < view.t1;) {
    const x0 = xOf(row.begin[i]), x1 = xOf(row.end[i]);
    if (x1 - x0 >= 1.5) {
      pen.globalAlpha = fade(row, i);
      drawSlice(row, i, Math.max(x0, GUTTER - 4), Math.min(x1, view.width + 4), y);
      pen.globalAlpha = 1;
      ++i;
      continue;
    }
    const column = Math.floor(x0), until = timeAt(column + 1);
    const next = Math.max(i + 1, bound(row.begin, row.n, (b) => b >= until, i));
    const part = (row.work[next] - row.work[i]) / perPixel;
    pen.globalAlpha = (part > 0 ? clamp(0.25 + 0.75 * part, 0, 1) : 1) * (view.hits && view.hits.size ? FAINT : 1);
    pen.fillStyle = part > 0 ? base : kindColour(data.chunks[row.chunk[i]].kind[row.at[i]]);
    pen.fillRect(column, y + 2, 1, LINE - 4);
    pen.globalAlpha = 1;
    i = next;
  }
  drawHits(row, y);
}

const kindColour = (kind) => (kind === KIND.never || kind === KIND.fault ? colours.never : colours.wait);

function drawSlice(row, i, x0, x1, y) {
  const c = data.chunks[row.chunk[i]], at = row.at[i], kind = c.kind[at], wide = x1 - x0;
  const name = wide > 3 ? c.text(c.name[at]) : "";
  const gap = wide > 4 ? 0.75 : 0;
  let ink = colours.inside;
  if (kind === KIND.record || kind === KIND.call) {
    pen.fillStyle = shadeOf(row.row, name);
    pen.fillRect(x0, y + 2, wide - gap, LINE - 4);
  } else {
    const loud = kind === KIND.never || kind === KIND.fault;
    pen.fillStyle = loud ? colours.never : colours.wait;
    const whole = pen.globalAlpha;
    pen.globalAlpha = whole * (loud ? 0.22 : 0.55);
    pen.fillRect(x0, y + 4, wide - gap, LINE - 8);
    pen.globalAlpha = whole;
    pen.strokeStyle = loud ? colours.never : colours.queued;
    pen.lineWidth = 1;
    if (loud || kind === KIND.barrier) pen.strokeRect(x0 + 0.5, y + 4.5, Math.max(1, wide - gap - 1), LINE - 9);
    ink = loud ? colours.never : colours.faint;
  }
  const label = labelOf(kind, name, x0, x1);
  if (label) labels.push({ ...label, y, ink, alpha: pen.globalAlpha });
}

// What is not looked for is faint.
const FAINT = 0.3;
function fade(row, i) {
  if (!view.hits || !view.hits.size) return 1;
  const hits = view.hits.get(row);
  if (!hits) return FAINT;
  return hits[bound(hits, hits.length, (h) => h >= i)] === i ? 1 : FAINT;
}

function drawHits(row, y) {
  const hits = view.hits && view.hits.get(row);
  if (!hits) return;
  pen.fillStyle = colours.mark;
  let last = -10;
  for (let h = bound(hits, hits.length, (i) => row.end[i] > view.t0); h < hits.length; ++h) {
    const i = hits[h];
    if (row.begin[i] >= view.t1) break;
    const x0 = xOf(row.begin[i]), x1 = xOf(row.end[i]);
    if (x1 < last + 1) {  // to the first that is to be seen beside it
      h = Math.max(h, bound(hits, hits.length, (j) => row.end[j] >= timeAt(last + 1), h) - 1);
      continue;
    }
    pen.fillRect(x0, y + LINE - 4, Math.max(1.5, x1 - x0), 3);
    last = x1;
  }
}

function drawHead(place, y) {
  pen.fillStyle = colours.soft;
  pen.fillRect(0, y + 2, view.width, HEAD - 3);
  if (!view.closed.has(place.core)) return;
  // Of a closed core, the pipe that works most.
  const most = fullest(place.core);
  if (!most) return;
  const ticks = (view.t1 - view.t0) / (view.width - GUTTER);
  pen.fillStyle = colours[colourOf(most.row)];
  for (let x = GUTTER; x < view.width; x += 2) {
    const part = busy(most, timeAt(x), timeAt(x) + 2 * ticks);
    if (part > 0) pen.fillRect(x, y + HEAD - 4 - part * 12, 2, part * 12);
  }
}

const fullestOf = new Map();
function fullest(core) {
  if (!fullestOf.has(core)) {
    const rows = [...data.rows.values()].filter((row) => row.core === core && row.row < 7);
    fullestOf.set(core, rows.sort((a, b) => b.work[b.n] - a.work[a.n])[0]);
  }
  return fullestOf.get(core);
}

function drawRate(name, y) {
  const points = data.facts.rates.filter((r) => r[0] === name);
  const most = Math.max(...points.map((p) => p[2])) || 1, low = y + RATE - 4, high = RATE - 12;
  pen.fillStyle = colours.mte2;
  pen.globalAlpha = 0.6;
  pen.beginPath();
  pen.moveTo(xOf(points[0][1] * data.facts.ticks), low);
  let before = low;
  for (const [, at, value] of points) {
    const x = clamp(xOf(at * data.facts.ticks), GUTTER - 5, view.width + 5);
    pen.lineTo(x, before);
    before = low - (value / most) * high;
    pen.lineTo(x, before);
  }
  pen.lineTo(clamp(xOf(data.end), GUTTER, view.width + 5), before);
  pen.lineTo(clamp(xOf(data.end), GUTTER, view.width + 5), low);
  pen.fill();
  pen.globalAlpha = 1;
  pen.fillStyle = colours.faint;
  pen.fillText(`${+most.toPrecision(3)}`, GUTTER + 4, y + 8);
}

function drawGutter() {
  pen.fillStyle = colours.back;
  pen.fillRect(0, RULER, GUTTER - 1, view.height);
  for (const line of view.lines) {
    const y = yOf(line);
    if (y + line.height < RULER || y > view.height) continue;
    pen.textAlign = "left";
    if (line.place) {
      pen.fillStyle = colours.soft;
      pen.fillRect(0, y + 2, GUTTER - 1, HEAD - 3);
      pen.fillStyle = colours.fore;
      pen.fillText(`${view.closed.has(line.place.core) ? "\u25B8" : "\u25BE"} ${line.place.name}`, 8, y + HEAD / 2);
    } else {
      pen.fillStyle = line.row ? colours[colourOf(line.row.row)] : colours.path;
      if (!line.rate) pen.fillRect(8, y + 6, 3, line.height - 12);
      pen.fillStyle = colours.faint;
      const name = line.row ? rowName(line.row.row) : line.rate || "critical path";
      pen.fillText(name, line.rate ? 8 : 17, y + line.height / 2 + (line.rate ? -6 : 0.5));
      if (line.rate && data.facts.places.length > 1) pen.fillText("sum over cores", 8, y + line.height / 2 + 8);
      pen.textAlign = "right";
      if (line.row) pen.fillText(shareText(line.row), GUTTER - 7, y + line.height / 2 + 0.5);
    }
  }
  pen.fillStyle = colours.line;
  pen.fillRect(GUTTER - 1, RULER, 1, view.height);
}

// The critical path: a bar above each of its slices, and lines from the end of one to the beginning of the next.
const MOST_JOINTS = 1500;
function drawPath() {
  const path = data.path, from = bound(path, path.length, (p) => p.row.end[p.i] > view.t0);
  const to = bound(path, path.length, (p) => p.row.begin[p.i] >= view.t1, from);
  const top = (p) => { const line = lineAtRow(p.row); return line && yOf(line) + (line.row ? 1 : HEAD - 5); };
  pen.fillStyle = pen.strokeStyle = colours.path;
  pen.lineWidth = 1.5;
  let last = null;
  for (let k = from; k < to; ++k) {
    const y = top(path[k]), x0 = xOf(path[k].row.begin[path[k].i]), x1 = xOf(path[k].row.end[path[k].i]);
    if (last && last.y === y && x1 < last.x + 0.5) continue;
    pen.fillRect(x0, y, Math.max(1, x1 - x0), 3);
    last = { x: x1, y };
  }
  if (to - from > MOST_JOINTS) return;
  pen.globalAlpha = 0.8;
  for (let k = Math.max(1, from); k < Math.min(to + 1, path.length); ++k) {
    const before = path[k - 1], next = path[k], y0 = top(before) + 1.5, y1 = top(next) + 1.5;
    const x0 = xOf(before.row.end[before.i]), x1 = xOf(next.row.begin[next.i]);
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

// The critical path in a line of its own, wherever its slices are; what lies between them is latency, issue or waiting.
function drawPathLine(y) {
  const path = data.path;
  let last = -1;
  for (let k = bound(path, path.length, (p) => p.row.end[p.i] > view.t0); k < path.length; ++k) {
    const { row, i } = path[k], x0 = xOf(row.begin[i]), x1 = xOf(row.end[i]);
    if (row.begin[i] >= view.t1) break;
    if (x1 >= x0 + 1.5) drawSlice(row, i, Math.max(x0, GUTTER - 4), Math.min(x1, view.width + 4), y);
    else if (x1 > last + 0.5) {
      pen.fillStyle = colours[colourOf(row.row)];
      pen.fillRect(x0, y + 2, 1, LINE - 4);
    } else continue;
    last = x1;
  }
  pen.fillStyle = colours.path;
  const from = xOf(path[0].row.begin[path[0].i]), to = xOf(path[path.length - 1].row.end[path[path.length - 1].i]);
  pen.fillRect(Math.max(GUTTER, from), y, Math.min(view.width, to) - Math.max(GUTTER, from), 2);
}

const severityColour = (finding) => ({ fault: colours.never, warning: colours.warn })[finding.severity] || colours.faint;

// A flag where each finding happened; of the picked one, its rule beside it.
function drawFindings() {
  for (const stand of findingPlaces()) {
    const { finding, slice } = stand, [x, y] = flagOf(stand), picked = finding === view.finding;
    if (y < RULER - LINE || y > view.height) continue;
    pen.fillStyle = pen.strokeStyle = severityColour(finding);
    pen.lineWidth = picked ? 2 : 1.2;
    const line = slice && lineAtRow(slice.row);
    if (line && line.row) pen.strokeRect(x, y + 2, Math.max(2, xOf(slice.end) - x), LINE - 4);
    pen.fillRect(x - 0.75, y, 1.5, LINE - 1);
    pen.beginPath();
    pen.moveTo(x, y - 1);
    pen.lineTo(x + 8, y + 2);
    pen.lineTo(x, y + 5);
    pen.fill();
    if (!picked || (slice && slice.kind === KIND.fault)) continue;
    const text = finding.rule, wide = widthOf(text) + 10, label = slice && labelOf(slice.kind, slice.name, x, xOf(slice.end));
    const left = Math.min(label ? label.right + 6 : x + 11, view.width - wide);
    pen.fillRect(left, y + 2, wide, LINE - 4);
    pen.fillStyle = colours.back;
    pen.textAlign = "left";
    pen.fillText(text, left + 5, y + LINE / 2 + 0.5);
  }
}

// Where the flag of a finding is.
function flagOf(stand) {
  const line = lineOf(stand.core, stand.row);
  return [clamp(xOf(stand.at), -50, view.width + 50), line ? yOf(line) : -100];
}
const flagAt = (x, y) => findingPlaces().find((stand) => {
  const [left, top] = flagOf(stand);
  return x > GUTTER && x >= left - 4 && x <= left + 10 && y >= top - 2 && y <= top + 9;
});

// Those that end in the picture; too many would hide it.
const MOST_ARROWS = 600;
function drawArrows() {
  const shown = [];
  for (const line of view.lines) {
    if (!line.place || view.closed.has(line.place.core)) continue;
    const list = data.arrows.get(line.place.core);
    if (!list) continue;
    const tos = (k) => list[k].to;
    let low = 0, high = list.length;
    while (low < high) { const m = (low + high) >> 1; if (tos(m) >= view.t0) high = m; else low = m + 1; }
    for (; low < list.length && list[low].to < view.t1; ++low) {
      const from = lineOf(data.chunks[list[low].number].arrows.fromCore[list[low].i], 0);
      if (from && shown.push(list[low]) > MOST_ARROWS) return;
    }
  }
  pen.globalAlpha = clamp(60 / Math.max(1, shown.length), 0.18, 0.6);
  for (const arrow of shown) drawArrow(arrowAt(arrow), colours.fore, 1);
  pen.globalAlpha = 1;
}

function drawArrow(a, colour, width) {
  const from = lineOf(a.fromCore, a.fromRow), to = lineOf(a.toCore, a.toRow);
  if (!from || !to) return;
  const x0 = xOf(a.from), x1 = xOf(a.to), y1 = yOf(to) + to.height / 2;
  // From the slice's edge towards the other row: through the middle it would cross the next slices' labels.
  const y0 = yOf(from) + from.height / 2 + Math.sign(yOf(to) - yOf(from)) * (LINE / 2 - 2);
  if ((y0 < RULER && y1 < RULER) || (y0 > view.height && y1 > view.height)) return;
  const bend = Math.min(60, Math.max(8, Math.abs(x1 - x0) / 2));
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(x1 + 1, y1);
  pen.lineTo(x1 - 5, y1 - 3);
  pen.lineTo(x1 - 5, y1 + 3);
  pen.fill();
}

function drawPicked() {
  for (const [s, colour] of [[view.over, colours.pick], [view.picked, colours.mark]]) {
    if (!s) continue;
    const line = lineOf(s.row.core, s.row.row);
    if (!line || !line.row) continue;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.strokeRect(xOf(s.begin), yOf(line) + 1, Math.max(2, xOf(s.end) - xOf(s.begin)), LINE - 2);
  }
  if (!view.picked) return;
  for (const a of [...view.picked.links.into, ...view.picked.links.out].slice(0, 200)) drawArrow(a, colours.mark, 1.8);
}
