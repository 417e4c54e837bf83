"""Threads: a world of many islands is stepped by one thread and by several. The time differs; the result does not, in any bit."""
import os
import time

from vertebra import World, WorldFlag
from show import Strip


def piles(threads):
    """64 piles of nine boxes, each an island of its own: islands are what threads share out."""
    world = World(flags=WorldFlag.NO_SLEEP)
    world.threads = threads
    world.ground()
    for k in range(64):
        x, y = 1.2 * (k % 8), 1.2 * (k // 8)
        for layer in range(9):
            world.box((x + 0.02 * (layer % 3), y, 0.11 + 0.22 * layer), (0.15 - 0.01 * layer, 0.15, 0.1))
    return world


several = max(2, os.cpu_count() or 1)
hashes = []
for threads in (1, several):
    world = piles(threads)
    begun = time.perf_counter()
    world.step(240)
    print(f"{threads} threads: {1e6 * (time.perf_counter() - begun) / 240:.0f} us a step, {world.stats.islands} islands")
    hashes.append(world.hash)
print("results: " + ("the same to the last bit" if len(set(hashes)) == 1 else "they differ"))

strip = Strip(eye=(13, -5, 5.5), target=(4.4, 4.2, 0.6), columns=1, size=(800, 420))
strip.add(world, f"{world.stats.bodies} bodies, {world.stats.islands} islands")
strip.save("threads.png")
