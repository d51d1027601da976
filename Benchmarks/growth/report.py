"""Tables for BENCHMARKS.md out of curves."""


def time(seconds):
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")):
        if seconds * factor >= 1 or unit == "ns":
            return f"{seconds * factor:.3g} {unit}"


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
