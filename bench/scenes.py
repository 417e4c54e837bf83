"""The runs of ./dev bench: the rows of its tables and the cases behind each, the aims' runs, and known figures of other engines."""
from typing import NamedTuple

from runner import ENGINES, OURS, Case


class Row(NamedTuple):
    name: str
    scene: str
    count: int
    steps: int  # of 1/240 s
    key: str  # which time is compared
    engines: dict  # engine: its options
    elsewhere: str = ""  # newest figures known for engines not in Debian, one core of another machine (../shared/bench/README.md)

    def case(self, engine):
        return Case(engine, self.scene, self.count, 240, self.steps, self.engines[engine])


EVERY = {engine: () for engine in ENGINES}
ON_GROUND = {engine: () for engine in ENGINES if engine not in ("Simbody", "ODE QuickStep")}
BOXES = {engine: () for engine in ENGINES if engine != "Simbody"}
ACCURATE = {OURS: ("stepper=variational",), "MuJoCo": ("integrator=RK4",)}
POSITIONS = {OURS: ("positions=1",), "MuJoCo": ()}  # penetration removed by displacements: VTB_WORLD_FLAG_CONTACT_POSITIONS
LARGE = {OURS: (), "ODE QuickStep": ()}
JOINTED = {engine: () for engine in EVERY if engine != "ODE QuickStep"}

ROWS = [
    Row("chain 8", "chain", 8, 2400, "us_per_step_mean", JOINTED),
    Row("chain 32", "chain", 32, 2400, "us_per_step_mean", JOINTED),
    Row("chain 128", "chain", 128, 2400, "us_per_step_mean", JOINTED, "40, NaN"),
    Row("chain 8, variational / RK4", "chain", 8, 2400, "us_per_step_mean", ACCURATE),
    Row("chain 32, variational / RK4", "chain", 32, 2400, "us_per_step_mean", ACCURATE),
    Row("ragdoll falling", "ragdoll", 1, 1200, "us_fall_mean", ON_GROUND, "8.3, joints off by 6 mm"),
    Row("ragdoll resting", "ragdoll", 1, 1200, "us_rest_mean", ON_GROUND, "21, joints off by 6 mm"),
    Row("tree of 127", "tree127", 1, 1200, "us_per_step_mean", JOINTED, "55, NaN"),
    Row("pile of 100 boxes", "pile", 100, 960, "us_per_step_mean", BOXES, "232"),
    Row("pile of 100, contact positions", "pile", 100, 960, "us_per_step_mean", POSITIONS),
    Row("pile of 1,000 boxes", "pile", 1000, 960, "us_per_step_mean", LARGE),
]
ALGORITHMS = {"FD": ("fd", "6.5"), "ID": ("id", "2.7"), "M": ("massmatrix", "2.6"), "FK": ("fk", "1.4")}  # key, elsewhere
ALGORITHM_PROGRAMS = {OURS: "algo_vertebra", "DART": "algo_dart", "KDL": "algo_kdl", "Simbody": "algo_simbody"}
BASES = ("fixed", "floating")  # 32 and 38 velocities
TALOS = "../shared/data/urdf/talos_data/robots/talos_reduced.urdf"


def row(name):
    return next(r for r in ROWS if r.name == name)


STARTED_PEERS = ("MuJoCo", "Bullet multibody")


# Runs of vertebra for quality only.
def random_starts(count, starts, *options):
    return [Case(OURS, "chain", count, 240, 2400, (f"seed={k + 1}", *options)) for k in range(starts)]


def random_starts_of(engine, count, starts):
    return [Case(engine, "chain", count, 240, 2400, (f"seed={k + 1}",)) for k in range(starts)]


def fine_variational(count):
    return Case(OURS, "chain", count, 960, 9600, ("stepper=variational",))


def coarse_tree(per_second):
    return Case(OURS, "tree127", 1, per_second, 5 * per_second)


RAGDOLL_8_S = Case(OURS, "ragdoll", 1, 240, 1920)

# Error after a second against time for it. The reference is independent of vertebra; a fine run of vertebra shows its accuracy.
PRECISION_SCENES = [("chain", 8), ("chain", 32), ("tree127", 1)]
PRECISION_RATES = [60, 120, 240, 480, 960, 1920, 3840]
PRECISION_ENGINES = [
    ("vertebra impulse", OURS, ()),
    ("vertebra variational", OURS, ("stepper=variational",)),
    ("vertebra ode, RK4", OURS, ("stepper=ode",)),
    ("MuJoCo Euler", "MuJoCo", ()),
    ("MuJoCo RK4", "MuJoCo", ("integrator=RK4",)),
    ("Bullet multibody", "Bullet multibody", ()),
    ("Bullet rigid", "Bullet rigid", ()),
    ("ODE", "ODE", ()),
    ("DART", "DART", ()),
    ("Simbody", "Simbody", ()),
]


def one_second(engine, scene, count, per_second, options=()):
    return Case(engine, scene, count, per_second, per_second, (*options, "measure=0", "positions=1"))


def reference(scene, count):
    return one_second("MuJoCo", scene, count, 7680, ("integrator=RK4",))


def own_reference(scene, count):
    return one_second(OURS, scene, count, 15360, ("stepper=variational",))


# Cost against the number of links: name, engine, scene, options, most links.
COST_LINKS = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
COST_LINES = [
    ("vertebra, smooth", OURS, "chain", (), 4096),
    ("vertebra, with a load", OURS, "loaded", (), 4096),
    ("vertebra, variational", OURS, "chain", ("stepper=variational",), 4096),
    ("MuJoCo", "MuJoCo", "chain", (), 256),
    ("Bullet multibody", "Bullet multibody", "chain", (), 4096),
    ("ODE QuickStep", "ODE QuickStep", "chain", (), 4096),
]


def cost_cases(engine, scene, options, most):
    return [Case(engine, scene, count, 240, 480, (*options, "measure=0")) for count in COST_LINKS if count <= most]
