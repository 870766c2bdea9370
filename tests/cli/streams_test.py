"""Rows 15, 23, 24 and 25 of the bad inputs: memory, chat templates without end, closed and full outputs, interrupts."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import gguf_file as g
import tenon

DAWDLES = Path(os.environ["TENON_HOST_PLUGINS"]) / "dawdles.so"
SLOW = ["run", "-p", "Once", "--set", f"plugins=[reference, gguf, bpe, jinja, processors, {DAWDLES}]",
        "--set", "sampling.chain=[dawdle]"]  # 100 ms a token, up to the end of the context


class Streams(tenon.Case):
    def start(self, *arguments):
        return subprocess.Popen([tenon.EXECUTABLE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_an_interrupt_ends_a_text_within_a_token_with_code_130(self):
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(*SLOW)
            first = process.stdout.read(1)
            started = time.monotonic()
            process.send_signal(signal_number)
            rest, messages = process.communicate(timeout=tenon.SECONDS)
            self.assertLess(time.monotonic() - started, 20)  # the whole text would take 50 seconds
            self.assertEqual(process.returncode, 130, messages)
            self.assertTrue(first)
            self.assertTrue(rest.endswith(b"\n"))
            self.assertNotIn(b"error", messages)

    def test_an_interrupt_ends_a_check_of_kernels_with_code_130(self):
        process = self.start("conformance", "reference", "--json")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=tenon.SECONDS)
        self.assertEqual(process.returncode, 130)

    def test_a_reader_that_goes_away_ends_a_text_with_one_message(self):
        process = self.start(*SLOW)
        self.assertTrue(process.stdout.read(1))
        process.stdout.close()
        started = time.monotonic()
        messages = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=tenon.SECONDS), 1)
        self.assertLess(time.monotonic() - started, 20)
        self.assertEqual(messages, b"tenon: stdout was closed or is full: the output was cut\n")

    def test_every_command_says_that_its_output_was_not_taken(self):
        for command in (["run", "-p", "x", "-n", "4"], ["run", "-p", "x", "-n", "4", "--json"], ["explain"], ["plan"],
                        ["inspect"], ["tokenize", "abc"], ["plugins", "list"], ["models", "list"], ["--help"],
                        ["--version"], ["run", "--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([tenon.EXECUTABLE, *command], stdout=full, stderr=subprocess.PIPE,
                                      timeout=tenon.SECONDS, check=False)
            self.assertEqual((done.returncode, done.stderr),
                             (1, b"tenon: stdout was closed or is full: the output was cut\n"), command)

    def test_a_stdout_that_was_never_open_is_a_closed_one(self):
        done = subprocess.run(["sh", "-c", f"exec '{tenon.EXECUTABLE}' run -p x -n 4 >&-"], stderr=subprocess.PIPE,
                              timeout=tenon.SECONDS, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, b"tenon: stdout was closed or is full: the output was cut\n"))

    def test_a_plan_larger_than_memory_names_both_and_the_way_out(self):
        demo = g.read(tenon.DEMO)
        architecture = demo.value(b"general.architecture")[2][8:]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "long.gguf"
            path.write_bytes(demo.with_value(architecture + b".context_length", g.U32, g.u32(1 << 30)).bytes())
            self.refused(tenon.run("run", "-m", str(path), "-p", "x"), "needs", "are free", "--overcommit")

    def test_a_chat_template_without_end_is_stopped(self):
        demo = g.read(tenon.DEMO)
        endless = (b"{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}",
                   b"{% for a in range(100000) %}{{ 'x' * 100000 }}{% endfor %}")
        with tempfile.TemporaryDirectory() as folder:
            for source in endless:
                path = Path(folder) / "chat.gguf"
                path.write_bytes(demo.with_value(b"tokenizer.chat_template", g.STRING, g.text(source)).bytes())
                done = tenon.run("run", "-m", str(path), "-p", "x")
                self.assertIn(done.returncode, (1, 2), done.stderr)
                self.refused(done, code=done.returncode)


if __name__ == "__main__":
    tenon.main()
