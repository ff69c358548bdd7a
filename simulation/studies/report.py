"""Study report: one HTML page of what a study has found, which refers to nothing outside itself."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from simulation.studies.charts import STYLE, bar, diagram
from simulation.studies.ending import read_table
from simulation.studies.figures import failures_first, histogram, scatter, strongest
from simulation.studies.flight import PASSED
from simulation.studies.result_folder import VERSIONS, ResultFolder
from simulation.studies.sampling import flight_count
from simulation.studies.statistics import (
    Interval,
    has_intervals,
    independent_flights,
    mean_interval,
    without_ends,
)
from simulation.studies.study import Study
from simulation.studies.study_table import StudyTable
from simulation.studies.summary import MetricSummary, StudySummary, interval_text, summarise
from telemetry.base.escaping import markup_text
from telemetry.base.number_text import significant
from telemetry.base.safe_files import whole_file
from telemetry.base.text_formats import FormatError, parse_json, read_limited

_MOST_FAILURES: Final = 50
_LARGEST_VERSIONS: Final = 1 << 20
_STYLE: Final = (
    """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--muted:#59636e;--rule:#cfd6de}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#12171e;--muted:#9aa8b8;
--rule:#364150}}
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color:var(--ink);background:var(--paper)}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin:2rem 0 .4rem;border-bottom:1px solid var(--rule)}
h3{font-size:1rem;margin:1rem 0 .2rem}.wide{overflow-x:auto}.note{color:var(--muted)}
table{border-collapse:collapse}td,th{padding:.18rem .9rem .18rem 0;vertical-align:top;
text-align:left;font-variant-numeric:tabular-nums}th{color:var(--muted);font-weight:400}
h1,p{overflow-wrap:anywhere}
.figures{display:flex;flex-wrap:wrap;gap:1rem}
pre{overflow-x:auto;border:1px solid var(--rule);padding:.6rem}
"""
    + STYLE
)


def write_report(folder: ResultFolder, out: Path) -> None:
    """Write the page. Raises StudyError, and OSError; then nothing of it is left."""
    page = report_page(folder)
    with whole_file(out) as fresh:
        fresh.write_text(page, encoding="utf-8")


def report_page(folder: ResultFolder) -> str:
    """The page as text. Raises StudyError."""
    study, table = folder.study, read_table(folder)
    summary = summarise(study, table, flight_count(study))
    title = markup_text(study.name)
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{markup_text(_flown_words(study))}</p>",
        _varied(study),
        _outcomes(study, summary, table),
        _failures(table),
        *(_metric(table, name, found) for name, found in summary.metrics.items()),
        _origin(folder, summary),
    ]
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{title}</title><style>{_STYLE}</style></head><body>'
        f"{''.join(parts)}<p class=note>Written by Lapwing.</p></body></html>"
    )


def _flown_words(study: Study) -> str:
    if study.function:
        return f"Calls {study.function}; sampling {study.sampling}, seed {study.seed}."
    aircraft = f" by {study.aircraft}" if study.aircraft else ""
    return f"Flies {study.scenario}{aircraft}; sampling {study.sampling}, seed {study.seed}."


def _varied(study: Study) -> str:
    rows = [(name, how.words) for name, how in study.vary.distributions.items()]
    return "<h2>What varies</h2>" + (_table((), rows) if rows else "<p>Nothing but the seed.</p>")


def _outcomes(study: Study, summary: StudySummary, table: StudyTable) -> str:
    flown, independent = len(table), independent_flights(study, table)
    rows = []
    for outcome, count in summary.outcomes.items():
        ended_so = (table.outcome[independent] == outcome).astype(np.float64)
        share = mean_interval(ended_so, is_share=True)
        share = share if has_intervals(study) else without_ends(share)
        rows.append((outcome, f"{count:,}", interval_text(share)))
    reasons = [
        (f"{count:,}", reason, ", ".join(map(str, first)))
        for reason, count, first in summary.reasons
    ]
    told = _table(("Outcome", "Flights", "Share, with its 95 % interval (Wilson)"), rows)
    if reasons:
        told += "<h3>Why</h3>" + _table(("Flights", "Reason", "First of them"), reasons)
    return f"<h2>{flown:,} of {summary.planned:,} flights</h2>{told}"


def _failures(table: StudyTable) -> str:
    rows = failures_first(table)
    failed = rows[table.metrics[PASSED][rows] == 0.0]
    if not len(failed):
        return ""
    listed = failed[:_MOST_FAILURES]
    cells = [
        (
            str(table.index[row]),
            table.outcome[row],
            *(_value_text(column[row]) for column in table.parameters.values()),
            table.reason[row],
        )
        for row in listed
    ]
    heads = ("Flight", "Outcome", *table.parameters, "Reason")
    which = "" if len(listed) == len(failed) else f"The first {len(listed)} of {len(failed):,}. "
    return (
        "<h2>Flights that did not pass</h2><p class=note>"
        f"{which}<code>lapwing study fly DIR FLIGHT</code> flies one again.</p>"
        f"{_table(heads, cells)}"
    )


def _metric(table: StudyTable, name: str, found: MetricSummary) -> str:
    about = f"<h2>{markup_text(name)}</h2><p>{markup_text(_mean_words(found))}</p>"
    if not found.mean.count:
        return about
    charts = [diagram(histogram(table, name, found.mean))]
    if parameter := strongest(found):
        charts.append(diagram(scatter(table, parameter, name)))
    return (
        f"{about}<div class=figures>{''.join(charts)}</div>{_correlations(name, found)}"
        f"{_indices(name, found)}"
    )


def _mean_words(found: MetricSummary) -> str:
    mean = found.mean
    if not mean.count:
        return "No flight has it."
    said = f"Mean {interval_text(mean)}"
    said += ", 95 % interval" if np.isfinite(mean.half_width) else ""
    spread = f"; standard deviation {significant(found.deviation, 4)}" if mean.count > 1 else ""
    quantiles = ", ".join(
        f"{label} {significant(found.quantiles[point], 4)}"
        for point, label in (("0", "least"), ("0.5", "median"), ("1", "most"))
    )
    return f"{said}, of {mean.count:,} flights{spread}; {quantiles}."


def _correlations(name: str, found: MetricSummary) -> str:
    rows = [
        (parameter, bar(one, -1.0, 1.0), interval_text(one), f"{one.count:,}")
        for parameter, one in found.correlations.items()
        if np.isfinite(one.value)
    ]
    if not rows:
        return ""
    heads = ("", "From -1 to 1", "With its 95 % interval", "Flights")
    return f"<h3>Rank correlation with {markup_text(name)}</h3>{_table(heads, rows, charts=(1,))}"


def _indices(name: str, found: MetricSummary) -> str:
    rows = [
        (parameter, *_index_cells(one.first), *_index_cells(one.total))
        for parameter, one in found.indices.items()
    ]
    if not rows:
        return ""
    heads = ("", "First, from 0 to 1", "With its 95 % interval", "Total, from 0 to 1", "")
    return (
        f"<h3>Share of the variance of {markup_text(name)} (Sobol indices)</h3>"
        f"<p class=note>Alone, and with all that it does together with others; intervals by "
        f"bootstrap.</p>{_table(heads, rows, charts=(1, 3))}"
    )


def _index_cells(one: Interval) -> tuple[str, str]:
    return bar(one, 0.0, 1.0), interval_text(one)


def _origin(folder: ResultFolder, summary: StudySummary) -> str:
    rows = [*_versions(folder).items(), ("digest of the flights (SHA-256)", summary.digest)]
    return (
        f"<h2>How it was made</h2>{_table((), rows)}<h3>The study</h3>"
        f"<pre>{markup_text(folder.study.text)}</pre>"
    )


def _versions(folder: ResultFolder) -> Mapping[str, str]:
    try:
        found = parse_json(read_limited(folder.path / VERSIONS, _LARGEST_VERSIONS))
    except (OSError, FormatError):
        return {"versions": "not told"}
    return {str(key): str(value) for key, value in found.items()} if type(found) is dict else {}


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], charts: Sequence[int] = ()) -> str:
    """Cells are texts, but those of the columns `charts`, which are markup."""
    head = "".join(f"<th>{markup_text(one)}</th>" for one in heads)
    lines = [
        "".join(
            f"<td>{cell if place in charts else markup_text(cell)}</td>"
            for place, cell in enumerate(row)
        )
        for row in rows
    ]
    first = f"<tr>{head}</tr>" if head else ""
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<div class=wide><table>{first}{body}</table></div>"


def _value_text(value: object) -> str:
    if isinstance(value, float):
        return significant(value, 4)
    return value if isinstance(value, str) else json.dumps(value)
