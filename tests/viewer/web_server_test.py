"""The server of `vertebra view --web` without a browser: who may ask, what it answers, how it ends; and which flags go together."""
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from served import Served  # noqa: E402

COMMAND, MODELS = sys.argv[1:3]
WALL = os.path.join(MODELS, "scenes/wall.xml")
ARM = os.path.join(MODELS, "urdf/arm7.urdf")


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served(COMMAND, WALL)

    @classmethod
    def tearDownClass(cls):
        cls.served.end()

    def ask(self, method, path, body=None, **heads):
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=20)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in heads.items()})
        answer = connection.getresponse()
        result = answer.status, answer.getheader("content-type"), answer.read().decode()
        connection.close()
        return result

    def first_event(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=20)
        connection.request("GET", "/events")
        line = connection.getresponse().readline()
        connection.close()
        self.assertTrue(line.startswith(b"data: "))
        return json.loads(line[6:])

    def test_page(self):
        status, kind, page = self.ask("GET", "/")
        self.assertEqual((status, kind), (200, "text/html; charset=utf-8"))
        self.assertIn("startPage(null)", page)
        self.assertIn("Permission is hereby granted", page)  # the licence of three.js goes with it
        self.assertRegex(page, r"Copyright .*three\.js authors")
        for outside in ("src=", "href=\"http", "@import", "url(http"):
            self.assertNotIn(outside, page.partition("<script>")[0])

    def test_loopback_only(self):
        with open("/proc/net/tcp") as file:
            rows = [row.split() for row in file.read().splitlines()[1:]]
        listening = {row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == self.served.port}
        self.assertEqual(listening, {"0100007F"})  # 127.0.0.1

    def test_foreign_hosts_and_pages_are_refused(self):
        here = f"127.0.0.1:{self.served.port}"
        for heads in ({"Host": "evil.example"}, {"Host": "evil.example:80"}, {"Host": here, "Origin": "http://evil.example"}, {"Host": here, "Origin": "null"},
                      {"Host": here, "Origin": "https://" + here}, {"Host": here, "Origin": "http://localhost:1"}, {"Host": "127.0.0.1.evil.example"}):
            for method, path in (("GET", "/"), ("GET", "/events"), ("POST", "/act")):
                self.assertEqual(self.ask(method, path, **heads)[0], 403, heads)
        for heads in ({"Host": here, "Origin": "http://" + here}, {"Host": "localhost:9", "Origin": "http://localhost:9"}):  # the latter: forwarded
            self.assertEqual(self.ask("GET", "/", **heads)[0], 200, heads)

    def test_wrong_requests(self):
        self.assertEqual(self.ask("GET", "/other")[0], 404)
        self.assertEqual(self.ask("GET", "/act")[0], 405)
        self.assertEqual(self.ask("POST", "/act", "x" * 70000)[0], 413)
        for line, text in (("dance", "'dance' is none of camera"), ("picture /x.png", "none of"), ("frames 10", "none of"), ("move 1", "it is written: move X Y"),
                           ("camera 1 2 3", "10 numbers"), ("camera 0 0 0 0 0 0 0 0 1 0.5", "same point"), ("slider 1 0 target x", "slider wants"),
                           ("slider 12345 0 target 1", "no slider"), ("key none", "is no key"), ("slider 1 0 target nan", "slider wants")):
            status, _, answer = self.ask("POST", "/act", line)
            self.assertEqual(status, 400, line)
            self.assertIn(text, json.loads(answer)["error"])
        with socket.create_connection(("127.0.0.1", self.served.port), timeout=20) as raw:
            raw.sendall(b"nonsense\r\n\r\n")
            self.assertTrue(raw.recv(100).startswith(b"HTTP/1.1 400 "))
        with socket.create_connection(("127.0.0.1", self.served.port), timeout=20) as raw:
            raw.sendall(b"POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n")
            self.assertTrue(raw.recv(100).startswith(b"HTTP/1.1 400 "))

    def test_time_waits_for_a_page(self):
        first = self.first_event()
        second = self.first_event()  # between them no page was open
        self.assertLess(second["time"] - first["time"], 0.5)
        self.assertEqual(len({mesh["part"] for mesh in first["meshes"]}), len(first["parts"]))
        self.assertEqual([b["name"] for b in first["bodies"]][0].split("/")[0], "walker")

    def test_port_and_ends(self):
        with Served(COMMAND, ARM) as served:
            taken = subprocess.run([COMMAND, "view", ARM, "--web", "--port", str(served.port)], capture_output=True, text=True, timeout=60)
            self.assertEqual(taken.returncode, 1)
            self.assertIn(f"port {served.port} is taken", taken.stderr)
            self.assertEqual(served.end(), (0, ""))  # by SIGINT
        other = Served(COMMAND, ARM, "--port", str(served.port))
        self.assertEqual(other.port, served.port)
        connection = http.client.HTTPConnection("127.0.0.1", other.port, timeout=20)
        connection.request("POST", "/act", "end")
        self.assertEqual(connection.getresponse().status, 200)
        self.assertEqual(other.process.wait(20), 0)
        other.end()
        run = subprocess.run([COMMAND, "view", ARM, "--web", "--for", "0.2"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"^http://127\.0\.0\.1:\d+/ ")


class Flags(unittest.TestCase):
    def view(self, *words):
        return subprocess.run([COMMAND, "view", *words], capture_output=True, text=True, timeout=120)

    def test_what_does_not_go_together(self):
        for words, text in ((["--web", "--export", "x.html"], "do not go together"), (["--web", "--offscreen"], "do not go together"),
                            (["--export", "x.html", "--for", "3"], "do not go together"), (["--port", "80"], "--port is for --web"),
                            (["--fps", "30"], "--fps is for --export"), (["--time", "0:1", "--web"], "--time is for --export"),
                            (["--web", "--port", "70000"], "--port"), (["--export", "x.html", "--time", "2:1"], "--time"),
                            (["--export", "x.html", "--fps", "0"], "--fps"), (["--export", "x.html", "--show", "contacts"], "no overlays")):
            run = self.view(WALL, *words)
            self.assertEqual(run.returncode, 2, (words, run.stderr))
            self.assertIn(text, run.stderr)
        run = self.view(ARM, "--export", "x.html", "--time", "0:1")
        self.assertEqual(run.returncode, 2)
        self.assertIn("does not move", run.stderr)

    def test_where_it_cannot_be_written(self):
        run = self.view(WALL, "--export", "/nowhere/page.html")
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot write '/nowhere/page.html'", run.stderr)

    def test_export_tells_what_it_wrote(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            run = self.view(WALL, "--export", path, "--time", "0:0.5", "--fps", "20", "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            told = json.loads(run.stdout)
            self.assertEqual((told["path"], told["pictures"], told["bytes"]), (path, 11, os.path.getsize(path)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
