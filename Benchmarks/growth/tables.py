"""Tables out of curves: complete ones to read, short rows for data/growth.tsv."""

from report import time


def number(value):
    return f"{value:,.10g}".replace(",", " ")


def table(curves):
    """One row a curve: the time at each amount, the slope, memory at both ends."""
    unit = curves[0].unit
    amounts = sorted({point.amount for curve in curves for point in curve.points})
    yield f"| {unit} | " + " | ".join(number(amount) for amount in amounts) + " | per 10 × | MiB | notes | goal |"
    yield "|---|" + "--:|" * (len(amounts) + 2) + "---|---|"
    for curve in curves:
        at = {point.amount: point for point in curve.points}
        times = [time(at[amount].seconds) if amount in at else "–" for amount in amounts]
        slope = f"× {curve.slope:.3g}" if curve.slope else "–"
        memory = [point.memory for point in curve.points if point.memory]
        sizes = f"{memory[0]:.0f} → {memory[-1]:.0f}" if memory else "–"
        notes = curve.points[-1].note
        yield f"| {curve.name} | " + " | ".join(times) + f" | {slope} | {sizes} | {notes} | {curve.goal} |"


def row(title, curve):
    """A short row of a curve, from its first point to its last; a curve that is named VARIANT: JOB is a job of its variant."""
    first, last = curve.points[0], curve.points[-1]
    memory = [f"{point.memory:.0f}" for point in curve.points if point.memory]
    variant, _, job = curve.name.rpartition(": ")
    local = variant.removeprefix("HTTP, ")
    parts = [f"{time(first.seconds)} → {time(last.seconds)}", f"× {curve.slope:.3g}" if curve.slope else "",
             f"{memory[0]} → {memory[-1]} MiB" if memory else "", last.note]
    text = ", ".join(filter(None, parts)) + (f" ({curve.goal})" if curve.goal and not variant else "")
    group = f"{local or title}, {number(first.amount)} to {number(last.amount)} {curve.unit}"
    return group, job if local == variant else f"{job}, HTTP", text
