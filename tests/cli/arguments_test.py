"""Rows 18 to 21 of the bad inputs: parameters out of range, prompts of every kind."""

import tempfile
from pathlib import Path

import tenon


class Parameters(tenon.Case):
    def test_threads_out_of_range_name_the_range_and_the_cores(self):
        for n in ("0", "-1", "100000"):
            self.refused(tenon.run("run", "-p", "x", "--threads", n), f"runtime.threads is {n}", "1 to 1024", "auto is")

    def test_sampling_out_of_range_names_the_parameter_and_its_range(self):
        for name, value, allowed in (("temperature", "nan", "from 0 to"), ("temperature", "inf", "from 0 to"),
                                     ("temperature", "-1", "from 0 to"), ("top_p", "2", "from 0 to 1"),
                                     ("top_k", "-5", "a whole number from 0 to")):
            self.refused(tenon.run("run", "-p", "x", "--set", f"sampling.chain=[{{{name}: {value}}}]"),
                         f"{name} is {value}", allowed)

    def test_a_number_of_tokens_out_of_range_names_the_range(self):
        for n in ("-1", "1000000000000", "1e12", "1e9", "x", ""):
            self.refused(tenon.run("run", "-p", "x", "-n", n), f"--max-tokens is '{n}'", "from 0 to 1000000000")

    def test_a_billion_tokens_end_with_the_text_or_the_context(self):
        self.written(tenon.run("run", "-p", "Once", "-n", "1000000000"))

    def test_an_unknown_option_or_command_is_refused(self):
        self.refused(tenon.run("run", "--temprature", "1"), "temprature", "usage: tenon run")
        self.refused(tenon.run("rum"), "no command 'rum'", "usage: tenon")

    def test_a_broken_config_is_refused_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder) / "c.yaml"
            config.write_text("runtime:\n  thraeds: 2\n")
            self.refused(tenon.run("run", "-c", str(config), "-p", "x"), "CONFIG_UNKNOWN_KEY", f"{config}:2:3", "'threads'")
            config.write_text("plugin_dirs: [.]\nplugins: [ghost]\n")
            self.refused(tenon.run("run", "-c", str(config), "-p", "x"), "PLUGIN_NOT_FOUND", f"{folder}/ghost.so")
            self.refused(tenon.run("run", "-c", folder, "-p", "x"), folder)
            self.refused(tenon.run("run", "-c", f"{folder}/none.yaml", "-p", "x"), "none.yaml", "No such file")


class Prompts(tenon.Case):
    def test_a_prompt_longer_than_the_context_names_both_counts(self):
        self.refused(tenon.run("run", "-p", "hello " * 3000), "context_length_exceeded", "the context 512")

    def test_a_million_carets_are_refused_in_linear_time(self):
        self.refused(tenon.run("run", "-p", "-", stdin=b"^" * 1_000_000), "context_length_exceeded", "1000001 tokens")

    def test_an_empty_prompt_starts_a_text(self):
        self.written(tenon.run("run", "-p", "", "-n", "4"))

    def test_bytes_that_are_no_utf8_and_nul_are_taken(self):
        for prompt in (b"\xff\xfe\xc0", b"a\0b", b"\xed\xa0\x80"):
            done = tenon.run("run", "-p", "-", "-n", "4", stdin=prompt)
            self.written(done)
            done.stdout.decode()  # what is written is UTF-8

    def test_a_prompt_file_that_cannot_be_read_is_named(self):
        self.refused(tenon.run("run", "-f", "/nonexistent/prompt"), "/nonexistent/prompt")
        with tempfile.TemporaryDirectory() as folder:
            self.refused(tenon.run("run", "-f", folder), folder)

    def test_a_prompt_without_end_is_refused(self):
        self.refused(tenon.run("run", "-f", "/dev/zero"), "/dev/zero", "more than 67108864 bytes")


if __name__ == "__main__":
    tenon.main()
