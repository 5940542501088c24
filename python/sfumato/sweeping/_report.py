# SPDX-License-Identifier: Apache-2.0
"""report.html: the results as tables and plots in one file that needs no network (Plotly, which is put into it)."""

from __future__ import annotations

import html
import os
import sys
from collections import Counter
from pathlib import Path

from . import _summary

# Verdicts from good to bad, each with its colour.
COLOURS = {
    "right": "#2e9e5b",
    "unstable": "#c9a400",
    "wrong": "#d9534f",
    "decoy": "#a0522d",
    "refused": "#8e44ad",
    "tiling-failed": "#6c5ce7",
    "no-compile": "#34495e",
    "invalid": "#7f8c8d",
    "timeout": "#e67e22",
    "out-of-memory": "#b9770e",
    "crashed": "#111111",
}
# The page loads nothing, whatever is in it.
_POLICY = "<meta http-equiv=Content-Security-Policy content=\"default-src 'unsafe-inline' data: blob:\">"
_MOST_SHAPES = 60
_MOST_ROWS = 200

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 1100px; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; margin: .5rem 0 1.5rem } td, th { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #ddd }
td.n { text-align: right; font-variant-numeric: tabular-nums } code { font-size: 13px } h2 { margin-top: 2rem }
"""


def write_report(results: list[dict], path: str | os.PathLike) -> bool:
    """False, with a sentence on stderr, where Plotly is missing."""
    try:
        import plotly.graph_objects as go
    except ImportError:
        print("report.html needs plotly: pip install sfumato[sweep]", file=sys.stderr)
        return False
    figures = [_matrix(go, results), _costs(go, results), _time(go, results)]
    parts = [_tables(results)]
    for number, (title, figure) in enumerate((title, figure) for title, figure in figures if figure is not None):
        parts.append(f"<h2>{title}</h2>")
        parts.append(figure.to_html(full_html=False, include_plotlyjs=number == 0, config={"displaylogo": False}))
    text = "".join(parts)
    page = f"<!doctype html><html lang=en><meta charset=utf-8>{_POLICY}<title>Sweep</title><style>{_STYLE}</style><body>{text}</body></html>\n"
    partial = Path(f"{path}.{os.getpid()}")
    partial.write_text(page, encoding="utf-8")
    os.replace(partial, path)
    return True


def _tables(results):
    counts = Counter(result["verdict"] for result in results)
    cells = "".join(
        f"<tr><td><span style='color:{COLOURS.get(verdict, '#222')}'>&#9632;</span> {verdict}<td class=n>{n}<td class=n>{100 * n / len(results):.2f} %"
        for verdict, n in counts.most_common()
    )
    page = (
        f"<h1>{len(results)} cases, {counts['right']} right</h1><table><tr><th>verdict<th>cases<th>share{cells}</table>"
    )
    rows = "".join(
        f"<tr><td>{html.escape(row['subject'])}<td>{html.escape(row['dtype'])}<td class=n>{row['cases']}<td class=n>{row['right']}"
        for row in _summary.rows(results)[:_MOST_ROWS]
    )
    page += f"<h2>By operator and type</h2><table><tr><th>what<th>types<th>cases<th>right{rows}</table>"
    found = _summary.reasons(results)
    if found:
        rows = "".join(
            f"<tr><td class=n>{count}<td>{verdict}<td>{html.escape(why)}<td><code>{result['id']}</code><td>{html.escape(result['summary'])}"
            for count, verdict, why, result in found[:_MOST_ROWS]
        )
        page += f"<h2>Why</h2><table><tr><th>cases<th>verdict<th>why<th>for example<th>which{rows}</table>"
    return page


def _matrix(go, results):
    """Shapes against operator and types: the share of right cases."""
    cells: dict[tuple[str, str], Counter] = {}
    sizes: dict[str, int] = {}
    for result in results:
        row, column = f"{_summary.subject(result)} {_summary.dtypes(result)}", _summary.shape(result)
        cells.setdefault((row, column), Counter())[result["verdict"]] += 1
        sizes[column] = _summary.elements(result)
    columns = sorted(sizes, key=lambda shape: (sizes[shape], shape))
    title = "Right cases by shape and type"
    if len(columns) > _MOST_SHAPES:  # the shapes with failures first, then an even choice
        bad = {column for (_, column), n in cells.items() if n["right"] != n.total()}
        spare = [column for column in columns if column not in bad]
        step = max(1, len(spare) // max(1, _MOST_SHAPES - len(bad)))
        kept = {*sorted(bad, key=lambda s: sizes[s])[:_MOST_SHAPES], *spare[::step][: max(0, _MOST_SHAPES - len(bad))]}
        title += (
            f" ({len(kept)} of {len(columns)} shapes, all others of the rows right)"
            if len(bad) <= _MOST_SHAPES
            else f" ({len(kept)} of {len(columns)} shapes)"
        )
        columns = [column for column in columns if column in kept]
    names = sorted({row for row, _ in cells})
    if not names:
        return title, None
    share, told = [], []
    for row in names:
        found = [cells.get((row, column), Counter()) for column in columns]
        share.append([n["right"] / n.total() if n else None for n in found])
        told.append(["<br>".join(f"{verdict}: {count}" for verdict, count in n.most_common()) for n in found])
    figure = go.Figure(
        go.Heatmap(
            z=share,
            x=columns,
            y=names,
            text=told,
            zmin=0,
            zmax=1,
            xgap=1,
            ygap=1,
            colorscale=[[0, COLOURS["wrong"]], [0.5, "#f0c040"], [1, COLOURS["right"]]],
            colorbar={"title": "right", "tickformat": ".0%"},
            hovertemplate="%{y}<br>%{x}<br>%{text}<extra></extra>",
        )
    )
    figure.update_layout(
        height=160 + 34 * len(names), margin={"t": 10}, xaxis={"type": "category", "title": "largest input"}
    )
    figure.update_yaxes(automargin=True)
    return title, figure


def _points(results):
    rows: dict[str, list[dict]] = {}
    for result in results:
        if result["cost"]["records"]:
            rows.setdefault(f"{_summary.subject(result)} {_summary.dtypes(result)}", []).append(result)
    return sorted(rows.items())


def _costs(go, results):
    """Instructions, which are the same on every machine."""
    figure = go.Figure()
    for name, members in _points(results):
        figure.add_trace(go.Box(x=[m["cost"]["records"] for m in _spread(members)], name=name, boxpoints="outliers"))
    figure.update_layout(
        height=160 + 44 * len(figure.data),
        margin={"t": 10},
        showlegend=False,
        xaxis={"title": "instructions of a launch", "type": "log"},
    )
    figure.update_yaxes(automargin=True)
    return "Instructions", figure if figure.data else None


def _time(go, results):
    figure = go.Figure()
    for name, members in _points(results):
        seconds = [1e3 * m["seconds"]["total"] for m in _spread(members) if m["seconds"]["total"]]
        figure.add_trace(go.Box(x=seconds, name=name, boxpoints=False))
    figure.update_layout(
        height=160 + 44 * len(figure.data),
        margin={"t": 10},
        showlegend=False,
        xaxis={"title": "milliseconds of a case on this machine", "type": "log"},
    )
    figure.update_yaxes(automargin=True)
    return "Time of the sweep itself (not of a board)", figure if figure.data else None


def _spread(members, most=5000):
    """An even choice: a page of a hundred thousand points is slow."""
    return members[:: max(1, len(members) // most)]
