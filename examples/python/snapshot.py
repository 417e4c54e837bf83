"""Snapshot and rewind: a world goes back to a saved state and on from there, to the last bit the same - or, with a push, another way."""
from vertebra import World
from show import Strip


def tower():
    """A tower of bricks and a ball that flies at it."""
    world = World()
    world.ground()
    for layer in range(8):
        for side in (-1, 1):
            half = (0.1, 0.3, 0.1) if layer % 2 else (0.3, 0.1, 0.1)
            world.box((0.2 * side if layer % 2 else 0, 0 if layer % 2 else 0.2 * side, 0.1 + 0.2 * layer), half, mass=2)
    ball = world.sphere((-3, 0, 1.2), 0.15, mass=6)
    ball.twist = (8, 0, 1.5, 0, 0, 0)
    return world, ball


strip = Strip(eye=(1.5, -4.5, 2.2), target=(0.3, 0, 0.7))
world, ball = tower()
world.step(60)
saved = world.save()  # all that changes: coordinates, velocities, what solvers remember; a bytes object
strip.add(world, "saved at 0.25 s")
world.step(240)
first = world.hash  # one number of the whole state
strip.add(world, "a second later")

world.restore(saved)
world.step(240)
strip.add(world, "rewound, again")
print(f"{len(saved)} bytes; run again: {'the same to the last bit' if world.hash == first else 'not the same'}")

other, _ = tower()  # another world, built by the same calls, takes the state too
other.restore(saved)
other.step(240)
print(f"in another world: {'the same to the last bit' if other.hash == first else 'not the same'}")

world.restore(saved)
ball.add_impulse((0, 30, 0))  # what if the ball had been pushed aside?
world.step(240)
strip.add(world, "rewound, pushed")
print(f"with a push: {'the same to the last bit' if world.hash == first else 'another future'}")
strip.save("snapshot.png")
