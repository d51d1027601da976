"""Tables out of curves: complete ones to read, short ones for BENCHMARKS.md."""

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


def summary(curves):
    """The columns and the rows of a short table: each curve from its first point to its last.

    Where curves are named VARIANT: JOB, a variant has a row and a job a column.
    """
    amounts = [point.amount for curve in curves for point in curve.points]
    unit = f"{number(min(amounts))} to {number(max(amounts))} {curves[0].unit}"
    names = [curve.name.partition(": ") for curve in curves]
    if all(job for _, _, job in names):
        cells = {(variant, job): short(curve) for (variant, _, job), curve in zip(names, curves)}
        jobs = list(dict.fromkeys(job for _, _, job in names))
        return [unit, *jobs], [[variant, *(cells.get((variant, job), "") for job in jobs)]
                               for variant in dict.fromkeys(variant for variant, _, _ in names)]
    return [unit, "time, per 10 ×, MiB", "notes", "goal"], [
        [curve.name, short(curve), curve.points[-1].note, curve.goal] for curve in curves]


def short(curve):
    first, last = curve.points[0], curve.points[-1]
    memory = [f"{point.memory:.0f}" for point in curve.points if point.memory]
    parts = [f"{time(first.seconds)} → {time(last.seconds)}", f"× {curve.slope:.3g}" if curve.slope else "",
             f"{memory[0]} → {memory[-1]} MiB" if memory else ""]
    return ", ".join(part for part in parts if part)
