"use strict";
// The search.

// Slices whose name, line, operands or report hold the words: numbers of slices, by row.
function search(words) {
  view.hits = null;
  view.hit = -1;
  view.marked = "";
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
  }
  tellHits();
  draw();
}

const hitCount = () => (view.hits ? [...view.hits.values()].reduce((n, h) => n + h.length, 0) : 0);
function tellHits() {
  const n = hitCount();
  const count = view.hit < 0 ? `${n.toLocaleString("en")} found` : `${(view.hit + 1).toLocaleString("en")} of ${n.toLocaleString("en")}`;
  element("hits").textContent = !view.hits ? "" : view.marked ? `${view.marked}: ${count}` : count;
}

function nextHit(step, turn = true) {
  const n = hitCount();
  if (!n) return;
  view.hit = (view.hit + step + n + (view.hit < 0 && step < 0 ? 1 : 0)) % n;
  let left = view.hit;
  for (const [row, hits] of view.hits) {
    if (left < hits.length) {
      const s = sliceAt(row, hits[left]);
      show(s, view.t1 - view.t0 > 200 * (s.end - s.begin));
      pick(s, turn);
      break;
    }
    left -= hits.length;
  }
  tellHits();
}
