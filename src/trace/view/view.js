"use strict";
// Mouse, keys and the start.

function sliceUnder(x, y) {
  const line = lineAt(y);
  if (!line || !(line.row || line.path) || x < GUTTER) return null;
  const t = timeAt(x), near = (view.t1 - view.t0) / (view.width - GUTTER);
  if (line.path) {
    const p = data.path[bound(data.path, data.path.length, (at) => at.row.end[at.i] > t - near)];
    return p && p.row.begin[p.i] <= t + near ? sliceAt(p.row, p.i) : null;
  }
  const i = line.row.endsAfter(t - near);
  return i < line.row.n && line.row.begin[i] <= t + near ? sliceAt(line.row, i) : null;
}

let drag = null;
const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };

canvas.addEventListener("pointerdown", (event) => {
  const [x, y] = at(event);
  drag = { x, y, from: x, moved: false, ruler: y < RULER && y > 20, map: y <= 20 };
  canvas.setPointerCapture(event.pointerId);
  if (drag.map) jump(x);
});
canvas.addEventListener("pointermove", (event) => {
  const [x, y] = at(event);
  if (!drag) {
    const s = sliceUnder(x, y), flag = flagAt(x, y);
    if (flag) return tellFlag(flag, x, y);
    if ((s && s.i) !== (view.over && view.over.i) || (s && s.row) !== (view.over && view.over.row)) { view.over = s; draw(); }
    showTip(s, x, y);
    return;
  }
  drag.moved ||= Math.abs(x - drag.from) + Math.abs(y - drag.y) > 3;
  if (!drag.moved) return;
  showTip(null);
  if (drag.map) return jump(x);
  if (drag.ruler) {
    drawNow();
    pen.fillStyle = colours.pick;
    pen.fillRect(Math.min(drag.from, x), 20, Math.abs(x - drag.from), view.height);
    return;
  }
  pan(drag.x - x);
  scrollBy(drag.y - y);
  drag.x = x;
  drag.y = y;
});
canvas.addEventListener("pointerup", (event) => {
  const [x, y] = at(event), done = drag;
  drag = null;
  if (!done || done.map) return;
  if (done.moved && done.ruler) return zoomTo(Math.min(timeAt(done.from), timeAt(x)), Math.max(timeAt(done.from), timeAt(x)));
  if (done.moved) return;
  const line = lineAt(y);
  if (line && line.place) {
    if (!view.closed.delete(line.place.core)) view.closed.add(line.place.core);
    placeLines();
    return draw();
  }
  const flag = flagAt(x, y), s = sliceUnder(x, y);
  if (flag) return showFinding(flag.finding);
  if (line && line.path && s) show(s, false);
  pick(s);
});
canvas.addEventListener("pointerleave", () => { view.over = null; showTip(null); draw(); });
canvas.addEventListener("dblclick", (event) => { const s = sliceUnder(...at(event)); if (s) show(s, true); });
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [x] = at(event);
  if (event.ctrlKey || event.metaKey) return zoomAt(x, Math.exp(clamp(event.deltaY, -100, 100) * 0.004));
  if (event.shiftKey) return pan(event.deltaY || event.deltaX);
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return pan(event.deltaX);
  if (view.tall > view.height - RULER) return scrollBy(event.deltaY);
  zoomAt(x, Math.exp(clamp(event.deltaY, -100, 100) * 0.003));
}, { passive: false });

function jump(x) {
  const t = ((x - GUTTER) / (view.width - GUTTER)) * data.end, half = (view.t1 - view.t0) / 2;
  zoomTo(t - half, t + half);
}

function letGo() {
  search("");
  pick(null);
}

const fit = () => zoomTo(-0.01 * data.end, 1.01 * data.end);
function toggleArrows() {
  view.arrows = !view.arrows;
  element("arrows").setAttribute("aria-pressed", view.arrows);
  draw();
}

function togglePath() {
  view.path = !view.path;
  element("path").setAttribute("aria-pressed", view.path);
  placeLines();
  draw();
}

const keys = {
  w: () => zoomAt((view.width + GUTTER) / 2, 0.7), s: () => zoomAt((view.width + GUTTER) / 2, 1 / 0.7),
  a: () => pan(-view.width * 0.15), d: () => pan(view.width * 0.15), f: fit, r: toggleArrows, p: togglePath,
  ArrowLeft: () => pan(-view.width * 0.15), ArrowRight: () => pan(view.width * 0.15),
  ArrowUp: () => scrollBy(-60), ArrowDown: () => scrollBy(60), Escape: letGo,
  "/": () => element("find").focus(),
};
addEventListener("keydown", (event) => {
  if (event.target === element("find") || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});
let typing = 0;
element("find").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => search(element("find").value), 150); });
element("find").addEventListener("keydown", (event) => {
  if (event.key === "Escape") { element("find").value = ""; letGo(); canvas.focus(); }
  if (event.key !== "Enter") return;
  clearTimeout(typing);
  if (!view.hits) search(element("find").value);
  nextHit(event.shiftKey ? -1 : 1);
});
element("before").onclick = () => nextHit(-1);
element("after").onclick = () => nextHit(1);
element("all").onclick = fit;
element("arrows").onclick = toggleArrows;
element("path").onclick = togglePath;
element("look").onclick = () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  document.documentElement.className = dark ? "light" : "dark";
  readColours();
  draw();
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); draw(); });
addEventListener("resize", () => { resize(); draw(); });

// The finding that ended the launch, and, with a click, where it stands in the picture.
function tellFaults() {
  const faults = data.facts.findings.filter((f) => f.severity === "fault");
  if (!faults.length) return;
  const box = element("report");
  box.hidden = false;
  box.textContent = faults.map((f) => f.text).join("\n");
  box.onclick = () => showFinding(faults[0]);
}

// Slices at which cores stand: what is reported before what only waits.
function standing() {
  const found = [];
  for (const row of data.rows.values()) {
    if (!row.n) continue;
    const s = sliceAt(row, row.n - 1);
    if (s.kind >= KIND.never) found.push(s);
  }
  return found.sort((a, b) => b.note.length - a.note.length);
}

function factsLine() {
  const f = data.facts, blocks = `${f.chip}, ${f.blocks} block${f.blocks === 1 ? "" : "s"}`;
  if (!f.estimate) return `${blocks}, ${data.slices.toLocaleString("en")} slices, ${timeText(data.end)} steps: the order of the run, no times`;
  if (!f.time) return `${blocks}: estimated times of what ran before the fault`;
  return `${blocks} on ${coresText()}: core time ${usText(f.time.core_us)}, until the last core ends; task time ${usText(f.time.task_us)}, ` +
    `with the launch; an estimate (${f.estimate})`;
}

load().then(() => {
  const f = data.facts;
  document.title = `${f.kernel || "kernel"} - Sfumato timeline`;
  element("title").textContent = f.kernel || "kernel";
  element("facts-line").textContent = factsLine();
  element("busy").hidden = true;
  readColours();
  tellFaults();
  if (f.places.length > 8) f.places.slice(4).forEach((p) => view.closed.add(p.core));
  for (const s of standing()) view.closed.delete(s.row.core);
  for (const stand of findingPlaces().slice(0, 8)) view.closed.delete(stand.core);
  element("path").hidden = !data.path.length;
  resize();
  fit();
  openTab(f.findings.length ? "Findings" : f.time ? "Hints" : "Lines");
  tellAbout();
  const first = standing()[0], fault = f.findings.find((finding) => finding.severity === "fault");
  if (first) { show(first, false); pick(first, false, fault && first.note.startsWith(fault.text) ? fault : null); }
  document.documentElement.dataset.ready = "yes";
}).catch((error) => { element("busy").textContent = `This timeline cannot be read: ${error}`; });
