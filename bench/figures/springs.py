"""Servin, 4.1.1: m = 20 kg on a spring of k = 3000 N/m under gravity, h = 0.01 s, under the three Eulers of vtb_ode_*. The spring is
1 m long and the mass starts at rest there; y is its height relative to the hook, upwards."""
import math

import numpy as np

from experiment import Experiment, vtb
from svg import Plot
from vertebra import Ode

M, K, G, H, STEPS = 20.0, 3000.0, 9.81, 0.01, 1000


def run():
    e = Experiment("three_eulers", "A mass on a spring under the three Eulers", __doc__)
    kinds = {"explicit": vtb.VTB_INTEGRATOR_EXPLICIT_EULER, "implicit": vtb.VTB_INTEGRATOR_IMPLICIT_EULER, "symplectic": vtb.VTB_INTEGRATOR_SYMPLECTIC_EULER}
    times = H * np.arange(STEPS + 1)
    heights, energies = {}, {}
    for name, kind in kinds.items():
        ode = Ode([0.0, 0.0], lambda t, y: (y[1], -K / M * y[0] - G), integrator=kind, step=H, positions=1)
        states = np.array([ode.y] + [ode.advance(t) for t in times[1:]])
        heights[name] = states[:, 0]
        energies[name] = 0.5 * M * states[:, 1] ** 2 + 0.5 * K * (states[:, 0] + M * G / K) ** 2  # about the equilibrium
    start = 0.5 * K * (M * G / K) ** 2
    motion, energy = Plot("Height", "time, s", "m", y_limits=(-0.5, 0.4)), Plot("Energy by that of the start", "time, s", "", y_log=True)
    exact = M * G / K * (np.cos(math.sqrt(K / M) * times) - 1)
    for name in kinds:
        motion.line(name, times[:301], heights[name][:301])
        energy.line(name, times, energies[name] / start)
    motion.line("exact", times[:301], exact[:301], dash=True)
    e.plots += [motion, energy]

    growth = 1 + H * H * K / M  # of the energy in a step of explicit Euler; implicit Euler divides by it
    for name, factor in (("explicit", growth), ("implicit", 1 / growth)):
        measured = (energies[name][-1] / start) ** (1 / STEPS)
        e.claim(f"{name} Euler: the energy changes by a factor of {factor:.6f} each step", f"{measured:.6f}", abs(measured - factor) < 1e-6)
    most, least = energies["symplectic"].max() / start, energies["symplectic"].min() / start
    bound = H * math.sqrt(K / M) / 2  # the conserved energy is E ± h v K x / 2
    e.claim(f"symplectic Euler: the energy stays within {bound:.1%} and a little", f"{least:.4f} to {most:.4f}",
            max(most - 1, 1 - least) < 1.15 * bound)
    return [e]
