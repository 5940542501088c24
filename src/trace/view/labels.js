"use strict";
// What slices say of themselves, in the room they have.

// Labels are drawn behind all slices and arrows, so that neither covers them.
let labels = [];
function drawLabels() {
  pen.textAlign = "left";
  for (const { text, left, y, ink, alpha } of labels) {
    pen.fillStyle = ink;
    pen.globalAlpha = alpha;
    pen.fillText(text, left, y + LINE / 2 + 0.5);
  }
  pen.globalAlpha = 1;
  labels = [];
}

const widths = new Map();
function widthOf(text) {
  if (!widths.has(text)) widths.set(text, pen.measureText(text).width);
  return widths.get(text);
}

// What a slice from x0 to x1 says, as much of it as has room: where it begins and ends, or null.
function labelOf(kind, name, x0, x1) {
  const left = Math.max(x0, GUTTER) + 4, room = x1 - left - 3;
  if (x1 - x0 < 26 || room < 18) return null;
  let text = kind === KIND.never ? `${name}: never satisfied` : kind === KIND.queued ? `${name}: not executed` : name;
  if (widthOf(text) > room) {
    let most = Math.floor((text.length * room) / widthOf(text));
    while (most > 1 && widthOf(`${text.slice(0, most)}\u2026`) > room) --most;
    text = `${text.slice(0, most)}\u2026`;
  }
  return { text, left, right: left + widthOf(text) };
}
