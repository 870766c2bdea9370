"""A stranger's way: install Tenon, build a processor and a backend against it with find_package, name both in a config, run.

The installed tree stands alone: the plug-ins are built outside this repository, and the executable is the installed one."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ["TENON_BUILD"])
CMAKE = os.environ["TENON_CMAKE"]
COMPILER = os.environ["TENON_COMPILER"]
CONFIG = """\
plugin_dirs: [{prefix}/lib/tenon/plugins]
plugins:
  - reference
  - gguf
  - bpe
  - jinja
  - processors
  - ./loudest.so
  - ./plain_linear.so
backends: {{order: [plain_linear, reference]}}
model: {{path: {prefix}/share/tenon/configs/demo/demo.gguf}}
recipe_dirs: [{prefix}/share/tenon/configs/models]
sampling: {{chain: [{{loudest: 1}}, sample], seed: 1}}
"""


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Dropin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="tenon-dropin-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        prefix = cls.folder / "prefix"
        call(CMAKE, "--install", BUILD, "--prefix", prefix)
        for kind, name in (("processor", "loudest"), ("backend", "plain_linear")):
            source, build = cls.folder / kind, cls.folder / f"build-{kind}"
            shutil.copytree(HERE / kind, source)
            call(CMAKE, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release",
                 f"-DCMAKE_CXX_COMPILER={COMPILER}")
            call(CMAKE, "--build", build)
            shutil.copy(build / f"{name}.so", cls.folder)
        cls.tenon = prefix / "bin/tenon"
        cls.config = cls.folder / "mine.yaml"
        cls.config.write_text(CONFIG.format(prefix=prefix))

    def test_the_installed_executable_runs_with_its_own_config(self):
        self.assertTrue(call(self.tenon, "run", "-p", "Once there was", "-n", "8", "--greedy").strip())

    def test_both_dropped_in_plugins_stand_in_explain(self):
        text = call(self.tenon, "explain", "-c", self.config)
        self.assertIn("plain_q8_0_int8", text)
        self.assertIn("sampling: loudest (loudest), sample (processors)", text)
        shown = json.loads(call(self.tenon, "explain", "-c", self.config, "--json"))
        linear = [op for op in shown["ops"] if op["op"] == "linear"]
        self.assertTrue(linear)
        self.assertIn("plain_linear", {op["backend"] for op in linear})
        self.assertEqual({p["id"] for p in shown["plugins"]} & {"loudest", "plain_linear"}, {"loudest", "plain_linear"})

    def test_the_text_is_that_of_the_reference_backend_and_the_greedy_choice(self):
        # The backend computes the same numeric classes, and the one most probable token is the greedy choice.
        mine = call(self.tenon, "run", "-c", self.config, "-p", "Once there was")
        own = call(self.tenon, "run", "-p", "Once there was", "--greedy", "--set", "backends.order=[reference]")
        self.assertGreater(len(mine), 40)
        self.assertEqual(mine, own)

    def test_the_backend_is_held_to_the_reference_as_the_author_would(self):
        report = json.loads(call(self.tenon, "conformance", self.folder / "plain_linear.so", "--op", "linear", "--exact", "--json"))
        passed = {row["format"]: row["passed"] for row in report["rows"] if row["passed"]}
        self.assertEqual(set(passed), {"f32", "q8_0"})


if __name__ == "__main__":
    unittest.main()
