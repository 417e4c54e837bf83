#!/usr/bin/env python3
"""States of instances of FMUs: got, set and serialised; every call in every state of the standard; wrong values and steps. Arguments: fmus.py.
"""
import ctypes
import sys
import unittest

import importer
from fmus import STEP, bits, fmu
from importer import DISCARD, ERROR, OK


class States(unittest.TestCase):
    def test_two_instances_do_not_touch_each_other(self):
        for version in (2, 3):
            one, two, alone = (fmu("pendulum.urdf", version).instance(name) for name in ("one", "two", "alone"))
            for instance in (one, two, alone):
                instance.set("swing.q_start", 1.0)
                self.assertEqual(instance.begin(), OK)
            for k in range(50):
                two.set("swing.tau", 5)
                for instance in (two, one, alone):
                    self.assertEqual(instance.step(k * STEP, STEP), OK)
            self.assertEqual(bits(one.get("swing.q")), bits(alone.get("swing.q")))
            self.assertNotEqual(one.get("swing.q"), two.get("swing.q"))
            two.free()
            self.assertEqual(one.step(50 * STEP, STEP), OK)
            one.free(), alone.free()

    def test_states_are_got_set_and_serialised(self):
        for version in (2, 3):
            made = fmu("roll.xml", version)
            one, two, names = made.instance("one"), made.instance("two"), made.of("output")
            self.assertEqual([one.begin(), one.set("ball.force[0]", 1.5), one.set("gravity[0]", 0.3), one.step(0, 60.5 * STEP)],
                             [OK, OK, OK, OK], one.messages)
            status, state = one.save()
            self.assertEqual(status, OK)
            status, data = one.serialise(state)
            self.assertEqual(status, OK)
            go = lambda instance: [instance.step((60.5 + 1.25 * k) * STEP, 1.25 * STEP) for k in range(40)]
            self.assertEqual(go(one), [OK] * 40)
            expected = bits(one.get(*names))
            one.set("ball.force[0]", 0)
            one.set("gravity[0]", 0)
            self.assertEqual([one.restore(state), *go(one)], [OK] * 41, one.messages)
            self.assertEqual(bits(one.get(*names)), expected)
            # In another instance, from bytes; a damaged byte is noticed.
            status, read = two.deserialise(data)
            self.assertEqual([status, two.restore(read), *go(two)], [OK] * 42, two.messages)
            self.assertEqual(bits(two.get(*names)), expected)
            self.assertEqual(two.deserialise(data[:-1] + bytes([data[-1] ^ 1]))[0], ERROR)
            self.assertEqual(one.drop(state), OK)
            self.assertEqual(one.restore(state), ERROR)  # freed
            one.free(), two.free()

    def test_reset_starts_again(self):
        one = fmu("roll.xml", 3).instance()
        runs = []
        for _ in range(2):
            self.assertEqual([one.begin(), one.step(0, 100 * STEP)], [OK, OK])
            runs.append(bits(one.get(*one.fmu.of("output"))))
            self.assertEqual(one.call("Reset"), OK)
        self.assertEqual(*runs)
        one.free()

    # States of the standard by how one gets there, and of each call whether it may be made: I instantiated, M initialization, S step mode,
    # T terminated, E error.
    ALLOWED = {
        2: {"enter": "I", "exit": "M", "step": "S", "terminate": "S", "reset": "IMSTE", "read": "MSTE", "parameter": "IM", "input": "IMS", "save": "IMSTE"},
        3: {"enter": "I", "exit": "M", "step": "S", "terminate": "S", "reset": "IMST", "read": "IMST", "parameter": "IM", "input": "IMS", "save": "IMST"},
    }
    CALLS = {
        "enter": lambda i: i.enter(), "exit": lambda i: i.call("ExitInitializationMode"), "step": lambda i: i.step(0, STEP),
        "terminate": lambda i: i.call("Terminate"), "reset": lambda i: i.call("Reset"), "read": lambda i: i.read("swing.q")[0],
        "parameter": lambda i: i.set("swing.q_start", 0.1), "input": lambda i: i.set("swing.tau", 0.1), "save": lambda i: i.save()[0],
    }

    def in_state(self, version, state):
        one = fmu("pendulum.urdf", version).instance()
        ways = {"I": [], "M": ["enter"], "S": ["enter", "exit"], "T": ["enter", "exit", "terminate"], "E": ["enter", "exit", "enter"]}
        answers = [self.CALLS[call](one) for call in ways[state]]
        self.assertEqual(answers, [OK] * len(answers) if state != "E" else [OK, OK, ERROR])
        return one

    def test_every_call_in_every_state(self):
        for version, table in self.ALLOWED.items():
            for call, allowed in table.items():
                for state in "IMSTE" if version == 2 else "IMST":
                    one = self.in_state(version, state)
                    self.assertEqual(self.CALLS[call](one), OK if state in allowed else ERROR, (version, call, state, one.messages))
                    self.assertEqual(bool(one.messages), state not in allowed or state == "E", (version, call, state))
                    one.free()

    def test_wrong_values_and_steps(self):
        for version in (2, 3):
            made = fmu("pendulum.urdf", version)
            wrong = [
                (lambda i: i.set("swing.tau", float("nan")), DISCARD), (lambda i: i.set("swing.q", 1), ERROR),
                (lambda i: i.set("time", 1), ERROR), (lambda i: i.step(0.5, STEP), ERROR), (lambda i: i.step(0, -STEP), ERROR),
                (lambda i: i.step(0, float("nan")), ERROR), (lambda i: i.step(0, 2), ERROR),  # after the stop time
                (lambda i: i.call("GetBoolean", ctypes.byref(ctypes.c_uint32(0)), ctypes.c_size_t(1), None, ctypes.c_size_t(1)), ERROR),
            ]
            for k, (call, status) in enumerate(wrong):
                one = made.instance()
                self.assertEqual(one.begin(0, 1.0), OK)
                self.assertEqual(call(one), status, (version, k, one.messages))
                self.assertTrue(one.messages)
                one.free()
            self.assertIsNone(made.instance(token="{another}").handle)
            self.assertIsNone(made.instance(name=" ").handle)
            one = made.instance()
            one.free()
            self.assertEqual(one.step(0, STEP), ERROR)  # the handle lives no more

    def test_a_step_that_diverges(self):
        """FMI 2: the step is discarded, and told is the time up to which it went; FMI 3: an error. The state before can be set back."""
        for version in (2, 3):
            one = fmu("pendulum.urdf", version).instance()
            self.assertEqual([one.begin(), one.step(0, 4 * STEP)], [OK, OK])
            _, state = one.save()
            expected = bits(one.get("swing.q"))
            self.assertEqual(one.set("swing.tau", 1e200), OK)
            self.assertEqual(one.step(4 * STEP, 4 * STEP), DISCARD if version == 2 else ERROR)
            self.assertIn("not numbers", one.messages[-1][1])
            if version == 2:
                last, ended = ctypes.c_double(), ctypes.c_int()
                self.assertEqual(one.call("GetRealStatus", ctypes.c_int(2), ctypes.byref(last)), OK)
                self.assertEqual(one.call("GetBooleanStatus", ctypes.c_int(3), ctypes.byref(ended)), OK)
                self.assertEqual((last.value, ended.value), (4 * STEP, 1))
            self.assertEqual([one.restore(state), one.set("swing.tau", 0), one.step(4 * STEP, STEP)], [OK] * 3, one.messages)
            self.assertEqual([one.restore(state), bits(one.get("swing.q"))], [OK, expected])
            one.free()

    def test_what_is_not_offered_answers_error(self):
        skip = ("GetVersion", "GetTypesPlatform", "Instantiate", "FreeInstance", "DoStep", "Terminate", "Reset", "SetDebugLogging", "FMU", "FMUstate",
                "Initialization", "SetupExperiment", "Status")
        for version in (2, 3):
            names = [name[4:] for name in importer.FUNCTIONS[version] if not any(word in name for word in skip)]
            names = [name for name in names if not name.startswith(("Get", "Set")) or "Deriv" in name or "Contin" in name or "Time" in name or
                     "Clock" in name or "Interval" in name or "Shift" in name or "Number" in name or "Dependenc" in name]
            self.assertGreater(len(names), 10)
            for name in names:
                one = self.in_state(version, "S")
                self.assertEqual(one.call(name, *[None] * 8), ERROR, (version, name))
                one.free()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
