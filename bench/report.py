"""Results of ./dev bench as tables in markdown, as a page in HTML, and the data behind both."""
import datetime
import math
import re

import layout
import scenes
from runner import ENGINES, OURS
from svg import Plot, slope

QUALITIES = [  # key, head of its column
    ("max_joint_error_m", "joints apart, m"),
    ("max_joint_velocity_error", "in velocity, m/s"),
    ("energy_drift_max_rel", "energy error, most"),
    ("energy_drift_rel", "at the end"),
    ("flight_momentum_error", "momentum in flight, m/s"),
    ("max_limit_excess_rad", "limits passed, rad"),
    ("max_twist_excess_rad", "twists passed, rad"),
    ("max_penetration_m", "penetration, most, m"),
    ("rest_penetration_m", "at rest, m"),
    ("top_z", "highest body, m"),
]


def short(value):
    return "–" if value is None else "NaN" if math.isnan(value) else f"{value:.3g}"


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return "unknown processor"


def times_table(runner):
    engines = [engine for engine in ENGINES if runner.has(engine)]
    head = ["µs a step, 1/240 s", *engines, "elsewhere"]
    rows = []
    for row in scenes.ROWS:
        cells = [row.name]
        for engine in engines:
            case = row.case(engine) if engine in row.engines else None
            time = runner.time(case, row.key) if case else None
            cells.append(short(time) + (" *" if case in runner.results and runner.diverged(case) else ""))
        rows.append([*cells, row.elsewhere or "–"])
    return head, rows


def quality_tables(runner):
    """[(row's name, head, rows)], a row for each engine, the columns that apply."""
    tables = []
    for row in {(r.scene, r.count, tuple(r.engines.items())): r for r in scenes.ROWS}.values():
        cases = [(engine, row.case(engine)) for engine in row.engines if row.case(engine) in runner.results]
        keys = [(key, head) for key, head in QUALITIES if any(runner.get(case, key) for _, case in cases)]
        rows = []
        for engine, case in cases:
            values = [short(runner.get(case, key)) for key, _ in keys]
            rows.append([engine + (" *" if runner.diverged(case) else ""), *values, f"<small>{runner.notes(case)}</small>"])
        if rows:
            name = row.name.replace(" falling", "").replace(" resting", "")
            tables.append((name, ["engine", *(head for _, head in keys), "notes"], rows))
    return tables


def algorithms_table(robot):
    rows = []
    for base in scenes.BASES:
        for name, (key, elsewhere) in scenes.ALGORITHMS.items():
            times = (robot.get((base, library), {}).get(key + "_us_mean") for library in scenes.ALGORITHM_PROGRAMS)
            rows.append([f"{name}, {base} base", *map(short, times), elsewhere])
    return ["µs a call, Talos, 32 joints", *scenes.ALGORITHM_PROGRAMS, "elsewhere"], rows


def starts_table(runner, starts):
    rows = []
    for engine in (OURS, *scenes.STARTED_PEERS):
        for count in (8, 32, 128):
            cases = [case for case in scenes.random_starts_of(engine, count, starts) if case in runner.results]
            energies = sorted(runner.get(case, "energy_drift_max_rel") or math.inf for case in cases)
            if cases:
                gone = sum(runner.diverged(case) for case in cases)
                rows.append([f"{engine}, chain {count}", str(gone), short(energies[len(cases) // 2]), short(energies[-1])])
    return ["engine", f"of {starts} starts diverged", "largest energy error, median", "worst"], rows


def precision_plots(runner):
    charts = []
    for scene, count in scenes.PRECISION_SCENES:
        name = f"chain {count}" if scene == "chain" else "tree of 127"
        trust = runner.distance(scenes.own_reference(scene, count), scenes.reference(scene, count))
        chart = Plot(f"{name}: error at 1 s", "processor time for a simulated second, ms", "largest error of a position, m", True, True,
                     540, 420, y_limits=(None, 10))
        for label, engine, options in scenes.PRECISION_ENGINES:
            points = []
            for rate in scenes.PRECISION_RATES:
                case = scenes.one_second(engine, scene, count, rate, options)
                time, error = runner.time(case), runner.distance(case, scenes.reference(scene, count))
                if time and error is not None and not runner.diverged(case):
                    points.append((time * rate / 1000, error))
            if points:
                chart.line(label, *zip(*points), marker=True)
        if trust:
            chart.level(trust, f"our fine run and the reference are apart by {trust:.1e} m")
        if chart.lines:
            charts.append(chart)
    return charts


def cost_plots(runner):
    whole = Plot("Cost of a step against links", "links of the chain", "µs a step", True, True, 540, 400)
    single = Plot("The same, for each link", "links of the chain", "µs a step and link", True, False, 540, 400, y_limits=(0, 2))
    for name, engine, scene, options, most in scenes.COST_LINES:
        cases = [case for case in scenes.cost_cases(engine, scene, options, most) if runner.time(case)]
        counts, times = [case.count for case in cases], [runner.time(case) for case in cases]
        if cases:
            whole.line(f"{name}: exponent {slope(counts, times):.3f}", counts, times, marker=True)
            single.line(name, counts, [t / n for n, t in zip(counts, times)], marker=True)
    return [chart for chart in (whole, single) if chart.lines]


def solver_plots(text):
    """One for each table of solver_table's markdown: the residual against iterations."""
    charts = []
    for section in re.split(r"^#+ ", text, flags=re.M)[1:]:
        lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
        chart = Plot("Rows of: " + section.splitlines()[0], "iterations", "left, m/s", True, True, 540, 380)
        head = lines[0] if lines else []
        columns = [i for i, cell in enumerate(head) if cell.isdigit()]
        for cells in lines[2:]:
            values = [float(cells[i]) if cells[i] else math.nan for i in columns]
            if sum(map(math.isfinite, values)) > 1:
                chart.line(cells[0], [int(head[i]) for i in columns], values, marker=True)
        if chart.lines:
            charts.append(chart)
    return charts


def aims_table(found):
    return ["scene", "what", "measured", "aim", ""], [[a.scene, a.what, a.measured_text(), a.text(), layout.mark(a.met)] for a in found]


def markdown(runner, found, rounds):
    def lines(head, rows):
        ruler = "|---|" + "--:|" * (len(head) - 1)
        return "\n".join(["| " + " | ".join(head) + " |", ruler, *("| " + " | ".join(row) + " |" for row in rows)])
    head, rows = times_table(runner)
    plain = {True: "met", False: "MISSED", None: "not measured"}
    aims_rows = [[a.scene, a.what, a.measured_text(), a.text(), plain[a.met]] for a in found]
    return "\n\n".join([
        lines(head, [[cell.replace("*", "\\*") for cell in row] for row in rows]),
        f"{processor()}, one core, median of {rounds} rounds of the mean time per step. \\* diverged. Elsewhere: newest figures known, another "
        "machine.",
        lines(["scene", "what", "measured", "aim", ""], aims_rows)])


def paragraph(text):
    return f"<p>{' '.join(text.split())}</p>"


def html(runner, robot, found, rounds, starts, solvers):
    judged = [a.met for a in found if a.met is not None]
    parts = [
        paragraph(f"""{processor()}, one core, one thread, {datetime.date.today()}; generic x86-64 build, sleeping off, warm starting on. Times
            are processor time: medians over {rounds} round{'s' if rounds > 1 else ''} of the mean a step, all engines in turn in every round.
            Qualities are sampled at every step."""),
        f"<h2>Aims: {sum(judged)} of {len(judged)} met</h2>",
        layout.table(*aims_table(found)),
        "<h2>Times</h2>",
        layout.table(*times_table(runner)),
        paragraph("""* diverged: not a number, a reset by the engine itself, a crash, or joints more than 1 m apart; whatever it did before or
            after counts. Elsewhere: the newest figures known for engines that Debian does not package, taken on another machine, double or
            single precision."""),
        layout.table(*algorithms_table(robot)) if robot else paragraph("Talos: the robot's file is not at hand."),
        "<h2>Work and precision</h2>",
        paragraph("""Steps from 1/60 to 1/3840 s. The reference is MuJoCo's RK4 at 1/7680 s; the dashed level tells how far our variational
            stepper at 1/15360 s is from it. Engines that diverged are left out there."""),
        layout.plots(precision_plots(runner)),
        "<h2>Cost against links</h2>",
        layout.plots(cost_plots(runner)),
        "<h2>Random starts</h2>",
        paragraph("10 s at 1/240 s, hinges turned by up to 0.2 rad."),
        layout.table(*starts_table(runner, starts)),
        "<h2>Quality, scene by scene</h2>",
        paragraph("""Energy is relative to the scene's scale (chain: between horizontal and hanging; others: weight × 1 m, where loss by impact,
            friction and dampers is right)."""),
    ]
    for name, head, rows in quality_tables(runner):
        parts += [f"<h3>{name}</h3>", layout.table(head, rows)]
    charts = solver_plots(solvers)
    if charts:
        parts += ["<h2>Solvers: what is left against iterations</h2>", layout.plots(charts)]
    return layout.page("vertebra beside its peers", "\n".join(parts))


def data(runner, robot, found, rounds, starts, solvers):
    def number(value):
        return None if value is None or not math.isfinite(value) else value
    return {
        "processor": processor(), "date": str(datetime.date.today()), "rounds": rounds, "random_starts": starts,
        "aims": [{**a._asdict(), "measured": number(a.measured), "met": a.met} for a in found],
        "talos": [{"base": base, "library": library, **line} for (base, library), line in robot.items()],
        "cases": [{**case._asdict(), "diverged": runner.diverged(case), "lines": lines} for case, lines in runner.results.items()],
        "solvers": solvers,
    }
