"""`vertebra view --web` as a test runs it: a process, the address that it printed, its end."""
import json
import signal
import subprocess


class Served:
    def __init__(self, command, *words):
        self.process = subprocess.Popen([command, "view", *words, "--web", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(self.process.communicate()[1])
        self.told = json.loads(line)
        self.url, self.port = self.told["url"], self.told["port"]

    def end(self):
        """By SIGINT; exit code, the rest of stdout."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        rest, self.messages = self.process.communicate(timeout=20)
        return self.process.returncode, rest

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
