"""Recipes and prompts that cannot be right, and a stderr that takes nothing."""

import subprocess
import tempfile
from pathlib import Path

import tenon

RECIPE = (tenon.SOURCE / "configs/models/qwen3moe.yaml").read_text()


class Recipes(tenon.Case):
    def run_recipe(self, text):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "qwen3moe.yaml").write_text(text)
            return tenon.run("run", "-p", "Once", "-n", "2", "--set", f"recipe_dirs=[{folder}]")

    def with_step(self, stage, step):
        return self.run_recipe(RECIPE.replace(f"{stage}:\n", f"{stage}:\n  - {step}\n"))

    def test_the_shipped_recipe_is_taken(self):
        self.written(self.run_recipe(RECIPE))

    def test_steps_that_need_tokens_or_positions_are_refused_in_the_head(self):
        self.refused(self.with_step("head", "{op: rope, in: [x], pairing: halves}"), "rope stands under 'layer' alone")
        self.refused(self.with_step("head", "{op: gather, weight: token_embd, in: tokens, out: x}"),
                     "gather stands under 'embed' alone")
        self.refused(self.with_step("head", "{op: attention, in: [x, x, x], out: x}"), "attention stands under 'layer'")

    def test_a_linear_that_writes_its_own_input_is_refused(self):
        step = "- {op: linear, weight: attn_q, in: h, out: h}"
        text = RECIPE.replace("  - {op: attention,", f"  {step}\n  - {{op: attention,")
        self.refused(self.run_recipe(text), "linear cannot write 'h'")

    def test_a_linear_that_writes_one_value_twice_is_refused(self):
        self.refused(self.run_recipe(RECIPE.replace("out: [q, k, v]}", "out: [q, k, k]}")), "linear cannot write 'k'")

    def test_a_window_that_is_no_whole_number_is_refused(self):
        for window in ("0.5", "-1", "1e30"):
            text = RECIPE.replace("in: [q, k, v], out: a}", f"in: [q, k, v], out: a, window: {window}}}")
            self.assertNotEqual(text, RECIPE)
            self.refused(self.run_recipe(text), "window is", "expected a whole number")

    def test_a_folder_without_recipes_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            done = tenon.run("run", "-p", "x", "--set", f"recipe_dirs=[{folder}]")
            self.refused(done, "no recipe reads the format", folder)


class Words(tenon.Case):
    def test_a_prompt_is_asked_for_and_only_one_is_taken(self):
        self.refused(tenon.run("run"), "no prompt is given")
        self.refused(tenon.run("run", "-p", "x", "-f", "/dev/null"), "-p and -f")

    def test_a_stderr_that_takes_nothing_changes_neither_text_nor_exit_code(self):
        want = tenon.run("run", "-p", "Once", "-n", "4", "--greedy").stdout
        with open("/dev/full", "wb") as full:
            done = subprocess.run([tenon.EXECUTABLE, "run", "-p", "Once", "-n", "4", "--greedy", "--stats"],
                                  stdout=subprocess.PIPE, stderr=full, timeout=tenon.SECONDS, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, want))
            done = subprocess.run([tenon.EXECUTABLE, "run", "-m", "nope", "-p", "x"], stdout=subprocess.PIPE, stderr=full,
                                  timeout=tenon.SECONDS, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, b""))

    def test_a_failed_answer_of_a_batch_is_tried_again(self):
        with tempfile.TemporaryDirectory() as folder:
            prompts, answers = Path(folder, "in.jsonl"), Path(folder, "out.jsonl")
            prompts.write_text('{"id": 1, "prompt": "Once", "greedy": "yes"}\n')
            command = ("batch", "-i", str(prompts), "-o", str(answers), "--max-tokens", "3")
            self.assertEqual([tenon.run(*command).returncode for _ in range(2)], [1, 1])
            prompts.write_text('{"id": 1, "prompt": "Once", "greedy": true}\n')
            self.assertEqual(tenon.run(*command).returncode, 0)
            self.assertIn('"text"', answers.read_text().splitlines()[-1])


if __name__ == "__main__":
    tenon.main()
