# SPDX-License-Identifier: Apache-2.0
"""report.html: the results as tables and plots in one file that needs no network (Plotly, which is put into it)."""

from __future__ import annotations

import html
import math
import os
import sys
from collections import Counter

from .._cases.verdicts import KINDS
from .._files import write_text
from . import _summary
from ._names import called, dtypes, largest, subject

# The page loads nothing, whatever is in it.
_POLICY = "<meta http-equiv=Content-Security-Policy content=\"default-src 'unsafe-inline' data: blob:\">"
_ALL_BUT = 0.85  # of the scale of colours: above it is what is right as a whole
_BOX = "#4a6fa5"
_MOST_SHAPES = 60
_MOST_ROWS = 200
_MOST_OPEN = 20  # rows that are seen without a click

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 1100px; padding: 0 1rem; color: #222; background: #fff }
div.t { overflow-x: auto } table { border-collapse: collapse; margin: .5rem 0 1.5rem } td, th { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #ddd }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } td { vertical-align: top } code { font-size: 13px } h2 { margin-top: 2rem } td code { user-select: all; color: #555 } summary { cursor: pointer }
"""


def write_report(results: list[dict], path: str | os.PathLike) -> bool:
    """False, with a sentence on stderr, where Plotly is missing: the page has its tables then, and no plots."""
    try:
        import plotly.graph_objects as go
    except ImportError:
        go = None
        print(f"the plots of {os.path.basename(path)} need plotly: pip install plotly", file=sys.stderr)
    parts = [_head(results), _failed(results), *(_plots(go, results) if go else ["<p>The plots need Plotly."])]
    text = "".join(parts)
    head = f"<meta charset=utf-8>{_POLICY}<meta name=viewport content='width=device-width'><title>Sweep: {_title(results)}</title>"
    page = f"<!doctype html><html lang=en>{head}<style>{_STYLE}</style><body>{text}</body></html>\n"
    write_text(path, page)
    return go is not None


def _plots(go, results):
    """The toolbar would lie over the cells: it zooms and saves pictures, and nothing needs either."""
    figures = [_matrix(go, results), _costs(go, results), _time(go, results)]
    figures = [(title, figure) for title, figure in figures if figure is not None]
    for number, (title, figure) in enumerate(figures):
        yield f"<h2>{title}</h2>"
        config = {"displayModeBar": False, "responsive": True}
        yield figure.to_html(full_html=False, include_plotlyjs=number == 0, config=config)


def _title(results):
    return f"{len(results)} cases, {sum(result['ok'] for result in results)} right"


def _head(results):
    counts = Counter(result["verdict"] for result in results)
    page = f"<h1>{_title(results)}</h1><p>{html.escape(_summary.stamp(results))}"
    shares = [(_named(verdict), n, f"{100 * n / len(results):.2f} %") for verdict, n in counts.most_common()]
    page += _table(("verdict", "#cases", "#share"), shares)
    rows = [
        (html.escape(row["subject"]), html.escape(row["dtype"]), row["cases"], row["right"], _others(row["verdicts"]))
        for row in _summary.rows(results)[:_MOST_ROWS]
    ]
    page += "<h2>By operator and type</h2>" + _table(("what", "types", "#cases", "#right", "not right"), rows)
    rows = [
        (n, _named(verdict), html.escape(why), html.escape(called(result)), html.escape(result["summary"]))
        for n, verdict, why, result in _summary.reasons(results)[:_MOST_ROWS]
    ]
    if rows:
        page += "<h2>Why</h2>" + _table(("#cases", "verdict", "why", "for example", "what it says"), rows)
    return page


def _failed(results):
    """Every case that is not right, those of one reason together, with the command that runs it again."""
    bad = sorted((result for result in results if not result["ok"]), key=_order)
    several = len({result["case"]["chip"] for result in results}) > 1
    rows = [
        (
            _named(result["verdict"]),
            f"{html.escape(called(result))}{', ' + html.escape(result['case']['chip']) if several else ''}"
            f"<br><code>{html.escape(result.get('again') or '')}</code>",
            html.escape(_summary.reason(result)),
            f"{1e3 * (result['seconds']['total'] or 0):,.0f}",
        )
        for result in bad
    ]
    if not rows:
        return ""
    table = _table(("verdict", "case, and what runs it again from the folder of the sweep", "why", "#ms"), rows)
    opened = " open" * (len(rows) <= _MOST_OPEN)
    return f"<h2>Cases that are not right</h2><details{opened}><summary>{len(rows)} of {len(results)}</summary>{table}</details>"


def _order(result):
    return result["verdict"], _summary.reason(result), largest(result["case"]), called(result)


def _named(verdict):
    return f"<span style='color:{KINDS[verdict].colour}'>&#9632;</span>&nbsp;{verdict}"


def _others(verdicts):
    return ", ".join(f"{n} {_named(verdict)}" for verdict, n in sorted(verdicts.items()) if verdict != "right") or "-"


def _table(head, rows):
    """Cells are HTML; a column whose name begins with # has numbers."""
    kinds = [" class=n" if name.startswith("#") else "" for name in head]
    page = "".join(f"<th{kind}>{name.lstrip('#')}" for kind, name in zip(kinds, head))
    page += "".join("<tr>" + "".join(f"<td{kind}>{cell}" for kind, cell in zip(kinds, row)) for row in rows)
    return f"<div class=t><table><tr>{page}</table></div>"


def _matrix(go, results):
    """Shapes against operator and types: the share of right cases."""
    cells: dict[tuple[str, str], Counter] = {}
    sizes: dict[str, int] = {}
    for result in results:
        row, column = _row(result), largest(result["case"])[1]
        cells.setdefault((row, column), Counter())[result["verdict"]] += 1
        sizes[column] = largest(result["case"])[0]
    columns = sorted(sizes, key=lambda shape: (sizes[shape], shape))
    title = "Right cases by shape and type"
    if len(columns) > _MOST_SHAPES:  # the shapes with failures first, then an even choice
        bad = {column for (_, column), n in cells.items() if n["right"] != sum(n.values())}
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
        share.append([_shade(n) if n else None for n in found])
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
            colorscale=[
                [0, KINDS["wrong"].colour],
                [_ALL_BUT, "#f0c040"],
                [_ALL_BUT, KINDS["right"].colour],
                [1, KINDS["right"].colour],
            ],
            colorbar={
                "title": "right",
                "tickvals": [0, _ALL_BUT / 2, _ALL_BUT, 1],
                "ticktext": ["none", "half", "", "all"],
            },
            hovertemplate="%{y}<br>%{x}<br>%{text}<extra></extra>",
        )
    )
    _lay_out(figure, 160 + 34 * len(names))
    figure.update_xaxes(type="category", title="largest input", showgrid=False)
    figure.update_yaxes(showgrid=False)
    return title, figure


def _row(result):
    return f"{subject(result['case'])} {dtypes(result['case'])}"


def _shade(counts):
    """One case in a thousand that is not right shows, too."""
    return 1 if counts["right"] == sum(counts.values()) else _ALL_BUT * counts["right"] / sum(counts.values())


def _points(results):
    rows: dict[str, list[dict]] = {}
    for result in results:
        if result["cost"]["records"]:
            rows.setdefault(_row(result), []).append(result)
    return sorted(rows.items())


def _costs(go, results):
    """Instructions, which are the same on every machine."""
    found = {name: [m["cost"]["records"] for m in _spread(members)] for name, members in _points(results)}
    return "Instructions", _boxes(go, found, "instructions of a launch")


def _time(go, results):
    found = {
        name: [1e3 * m["seconds"]["total"] for m in _spread(members) if m["seconds"]["total"]]
        for name, members in _points(results)
    }
    return "Time of the sweep itself (not of a board)", _boxes(go, found, "milliseconds of a case on this machine")


def _boxes(go, found, what):
    """How the numbers of each row spread, on a logarithmic axis; None where there are none."""
    found = {name: numbers for name, numbers in found.items() if numbers}
    if not found:
        return None
    figure = go.Figure()
    for name, numbers in found.items():
        figure.add_trace(go.Box(x=numbers, name=name, boxpoints="outliers", line_color=_BOX, marker={"size": 4}))
    everything = [number for numbers in found.values() for number in numbers]
    ticks = _ticks(min(everything), max(everything))
    _lay_out(figure, 160 + 44 * len(found))
    figure.update_layout(showlegend=False)
    figure.update_xaxes(title=what, type="log", tickvals=ticks, ticktext=[f"{tick:,.12g}" for tick in ticks])
    return figure


def _ticks(low, high):
    """Numbers for a logarithmic axis from below `low` to above `high`: powers of ten, with 2 and 5 where these are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [factor * 10.0**power for power in powers for factor in ((1, 2, 5) if len(powers) < 6 else (1,))]


def _lay_out(figure, height):
    """Rows as the tables have them, from the top."""
    figure.update_layout(height=height, margin={"t": 10, "l": 10, "r": 10}, template="plotly_white")
    figure.update_yaxes(automargin=True, autorange="reversed", ticks="outside", ticklen=8, tickcolor="rgba(0,0,0,0)")


def _spread(members, most=5000):
    """An even choice: a page of a hundred thousand points is slow."""
    return members[:: max(1, len(members) // most)]
