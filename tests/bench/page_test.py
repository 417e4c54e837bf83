"""Charts, slopes, aims and the page of the benchmark on made-up results whose answers are known."""
import html.parser
import math
import os
import stat
import sys
import tempfile
import unittest
import xml.etree.ElementTree as tree

sys.path.insert(0, sys.argv.pop(1))
import aims  # noqa: E402
import report  # noqa: E402
import scenes  # noqa: E402
from runner import OURS, Runner  # noqa: E402
from svg import Plot, slope, tick_text  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


class Charts(unittest.TestCase):
    def test_slope_of_powers(self):
        xs = [8, 32, 500, 4096]
        self.assertAlmostEqual(slope(xs, [0.2 * x**1.03 for x in xs]), 1.03, places=12)
        self.assertAlmostEqual(slope([1, 2, 4, 8], [3, math.nan, 48, 0]), 2, places=12)  # NaN and zero are skipped
        self.assertTrue(math.isnan(slope([1], [1])))

    def test_points_stand_where_the_axes_say(self):
        text = Plot("a < b", "x", "y", x_log=True, y_log=True).line("one", [1, 10, 100], [1e-4, 1e-2, 1], marker=True).svg()
        image = tree.fromstring(text)  # well-formed, title escaped
        circles = [(float(c.get("cx")), float(c.get("cy"))) for g in image.iter(SVG + "g") for c in g.iter(SVG + "circle")]
        self.assertEqual(len(circles), 3)
        (x0, y0), (x1, y1), (x2, y2) = circles
        self.assertAlmostEqual(x1 - x0, x2 - x1, delta=0.11)  # equal factors are equal ways; rounded to a tenth of a pixel
        self.assertAlmostEqual(y1 - y0, y2 - y1, delta=0.11)
        self.assertLess(y2, y0)  # up is more
        ticks = {t.text: float(t.get("x")) for t in image.iter(SVG + "text") if t.get("text-anchor") == "middle"}
        self.assertAlmostEqual(ticks["10"], x1, delta=0.11)

    def test_gaps(self):
        image = tree.fromstring(Plot("t", "x", "y").line("one", [0, 1, 2, 3, 4], [0, 1, math.nan, 3, 4]).svg())
        self.assertEqual(len(list(image.iter(SVG + "polyline"))), 2)
        image = tree.fromstring(Plot("t", "x", "y", y_log=True).line("one", [0, 1], [0, -1]).svg())  # nothing to show, and no failure
        self.assertEqual(len(list(image.iter(SVG + "polyline"))), 0)

    def test_ticks(self):
        self.assertEqual([tick_text(v, True) for v in (1e-12, 2e-3, 1, 1000)], ["10⁻¹²", "2·10⁻³", "1", "1000"])


class Balance(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "line", "rect", "circle", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("line", "rect", "circle", "polyline"):
            assert self.open.pop() == tag, tag


# A program that prints a line whatever it is asked, slower in its second round, or dies.
FAKE = """#!/bin/sh
[ "$2" = 128 ] && { echo "out of memory" >&2; exit 1; }
case "$*" in *measure=0*) time=30 ;; *) time=10; more=',"max_joint_error_m":2e-13,"energy_drift_max_rel":null' ;; esac
echo "{\\"us_per_step_mean\\":$time$more,\\"diverged\\":false,\\"positions\\":[0,0,%s]}"
"""


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        for program, z in (("sim_vertebra", "1"), ("sim_mujoco", "1.002")):
            path = os.path.join(self.folder.name, program)
            with open(path, "w", encoding="utf-8") as file:
                file.write(FAKE % z)
            os.chmod(path, stat.S_IRWXU)
        self.runner = Runner(self.folder.name, 10)

    def tearDown(self):
        self.folder.cleanup()

    def test_runner(self):
        case, broken = (scenes.row(name).case(OURS) for name in ("chain 8", "chain 128"))
        self.runner.measure([case, broken, scenes.row("chain 8").case("DART")], 3, "")
        self.assertEqual(self.runner.time(case), 30)  # the median of 10, 30, 30
        self.assertEqual(self.runner.get(case, "max_joint_error_m"), 2e-13)  # of the round that measured
        self.assertTrue(math.isnan(self.runner.get(case, "energy_drift_max_rel")))  # null: not a number
        self.assertFalse(self.runner.diverged(case))
        self.assertTrue(self.runner.diverged(broken))
        self.assertEqual(self.runner.notes(broken), "out of memory")
        self.assertEqual(len(self.runner.results), 2)  # DART was not built

    def test_distance(self):
        own, right = scenes.one_second(OURS, "chain", 8, 240), scenes.reference("chain", 8)
        self.assertIsNone(self.runner.distance(own, right))
        self.runner.measure([own, right], 1, "")
        self.assertAlmostEqual(self.runner.distance(own, right), 0.002)

    def test_aims_and_page(self):
        self.runner.measure([scenes.row("chain 8").case(e) for e in (OURS, "MuJoCo")], 1, "")
        self.runner.measure([scenes.one_second(OURS, "chain", 8, 240), scenes.reference("chain", 8)], 1, "")
        talos = {("fixed", OURS): {"fd_us_mean": 1.0, "check_sum_qdd": 5, "check_sum_abs_tau": 1, "check_trace_M": 1,
                                    "check_sum_abs_positions": 2},
                 ("fixed", "DART"): {"fd_us_mean": 11.0, "check_sum_qdd": 5.1, "check_sum_abs_tau": 1, "check_trace_M": 1,
                                    "check_sum_abs_positions": 2}}
        found = {(a.scene, a.what): a for a in aims.all_aims(self.runner, talos, 2)}
        verdicts = {"time by that of MuJoCo": False, "error at 1 s": False, "joints apart": True, "largest energy error": False,
                    "of 2 random starts diverge": None}
        self.assertEqual({what: found["chain 8", what].met for what in verdicts}, verdicts)
        self.assertEqual(found["chain 8", "time by that of MuJoCo"].measured, 1)
        self.assertTrue(found["Talos FD, fixed", "time by that of DART"].met)
        self.assertIsNone(found["Talos ID, fixed", "time by that of DART"].met)
        self.assertFalse(found["Talos, fixed", "apart from DART in check sums, relative"].met)
        self.assertTrue(aims.Aim("", "", 0.7, 0.69, at_least=True).met)
        page = report.html(self.runner, talos, list(found.values()), 1, 2, "### pile\n\n| s | 5 | 10 |\n|---|---|---|\n| pgs | 1e-2 | 1e-3 |\n")
        balance = Balance()
        balance.feed(page)
        self.assertEqual(balance.open, [])
        self.assertIn("Rows of: pile", page)
        self.assertEqual(len(report.data(self.runner, talos, list(found.values()), 1, 2, "")["talos"]), 2)
        report.markdown(self.runner, list(found.values()), 1)


unittest.main()
