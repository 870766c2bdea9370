"""Rows 1 to 12 and 16 of the bad inputs: model files that are wrong, each in one way."""

import base64
import struct
import tempfile
from dataclasses import replace
from pathlib import Path

import gguf_file as g
import tenon

DEMO = g.read(tenon.DEMO)


class Models(tenon.Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def model(self, content, *parts, name="bad.gguf"):
        path = Path(self.folder.name) / name
        path.write_bytes(content)
        self.refused(tenon.run("run", "-m", str(path), "-p", "x"), name, *parts)

    def test_the_demo_model_written_again_is_taken(self):
        path = Path(self.folder.name) / "good.gguf"
        path.write_bytes(DEMO.bytes())
        self.written(tenon.run("run", "-m", str(path), "-p", "x", "-n", "4"))

    def test_row_1_a_file_too_small_to_be_a_model(self):
        self.model(b"", "too small to be a model")
        self.model(b"GGU", "too ")

    def test_row_2_a_page_or_a_pointer_in_place_of_a_model(self):
        self.model(b"<!DOCTYPE html><html><body>Sign in</body></html>", "HTML", "download it again")
        self.model(b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 99\n", "LFS", "download")

    def test_row_3_versions_that_are_not_read_and_swapped_bytes(self):
        for version in (1, 99):
            self.model(b"GGUF" + struct.pack("<I", version) + DEMO.bytes()[8:], f"version {version}")
        self.model(b"GGUF" + struct.pack(">I", 3) + DEMO.bytes()[8:], "big-endian")

    def test_row_4_a_dimension_of_0(self):
        self.model(base64.b64decode("R0dVRgMAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAB0AgAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                                    "AAAAAAA="), "'t'", "dimension")

    def test_row_5_lengths_beyond_the_file(self):
        self.model(DEMO.bytes(n_values=1 << 63), "9223372036854775808")
        self.model(DEMO.bytes(n_tensors=1 << 63), "9223372036854775808")
        head = struct.pack("<4sIQQ", b"GGUF", 3, 0, 1)
        self.model(head + struct.pack("<Q", 1 << 60) + b"x" * 1000, str(1 << 60))
        array = g.text(b"a") + struct.pack("<IIQ", g.ARRAY, g.U32, 1 << 63)
        self.model(head + array + b"x" * 1000, "'a'", str(1 << 63))

    def test_row_6_an_alignment_that_is_none(self):
        for kind, value, shown in ((g.U32, g.u32(0), "0"), (g.U32, g.u32(3), "3"), (g.STRING, g.text(b"32"), "string")):
            self.model(DEMO.with_value(b"general.alignment", kind, value).bytes(), "general.alignment", shown)

    def test_row_7_duplicates_and_offsets_that_do_not_fit(self):
        name = DEMO.tensors[1].name
        self.model(g.replace(DEMO, values=DEMO.values + [DEMO.values[0]]).bytes(), DEMO.values[0][0].decode())
        self.model(DEMO.with_tensor(2, name=name).bytes(), name.decode())
        for offset in (DEMO.tensors[0].offset, DEMO.tensors[1].offset + 1, 1 << 40, (1 << 64) - 32):
            self.model(DEMO.with_tensor(1, offset=offset).bytes(), name.decode(), "offset")

    def test_row_8_dimensions_and_names_out_of_bounds(self):
        self.model(DEMO.with_tensor(1, dims=(1 << 62, 1 << 62)).bytes(), DEMO.tensors[1].name.decode())
        self.model(DEMO.with_tensor(1, dims=((1 << 64) - 1,)).bytes(), DEMO.tensors[1].name.decode())
        self.model(DEMO.with_tensor(1, dims=(32, 1, 1, 1, 1)).bytes(), DEMO.tensors[1].name.decode(), "5", "4")
        self.model(DEMO.with_tensor(1, name=b"n" * 64).bytes(), "64")

    def test_row_9_a_file_cut_in_half_or_with_bytes_behind_its_end(self):
        whole = tenon.DEMO.read_bytes()
        self.model(whole[:len(whole) // 2], f"{len(whole)} bytes expected", f"{len(whole) // 2} present")
        self.model(whole + b"extra", f"{len(whole)} bytes expected", f"{len(whole) + 5} present")

    def test_row_11_keys_and_kinds_that_are_not_known(self):
        self.model(DEMO.without(b"general.architecture").bytes(), "general.architecture")
        self.model(DEMO.with_value(b"general.architecture", g.STRING, g.text(b"perceptron")).bytes(), "perceptron", "llama")
        architecture = DEMO.value(b"general.architecture")[2][8:]
        key = architecture + b".attention.head_count"
        self.model(DEMO.without(key).bytes(), key.decode())
        self.model(DEMO.with_value(key, g.STRING, g.text(b"four")).bytes(), key.decode())
        for dtype in (4, 5, 31, 999):  # two removed ones, a removed repacking, none
            self.model(DEMO.with_tensor(1, dtype=dtype).bytes(), DEMO.tensors[1].name.decode(), str(dtype))

    def test_row_12_shapes_and_counts_that_contradict_each_other(self):
        architecture = DEMO.value(b"general.architecture")[2][8:]
        for key, value in (("attention.head_count", 0), ("attention.head_count_kv", 3), ("expert_used_count", 1000),
                           ("embedding_length", 64 * 3), ("block_count", 77)):
            full = architecture + b"." + key.encode()
            self.model(DEMO.with_value(full, g.U32, g.u32(value)).bytes())

    def test_row_16_tokenizers_that_contradict_themselves(self):
        self.model(DEMO.without(b"tokenizer.ggml.tokens").bytes(), "tokenizer.ggml.tokens")
        self.model(DEMO.without(b"tokenizer.ggml.merges").bytes(), "tokenizer.ggml.merges")
        self.model(DEMO.with_value(b"tokenizer.ggml.bos_token_id", g.U32, g.u32(1 << 30)).bytes(), "bos_token_id", str(1 << 30))
        self.model(DEMO.with_value(b"tokenizer.ggml.pre", g.STRING, g.text(b"unheard-of")).bytes(), "unheard-of")
        for merge in (b"zz\x01 q", b"a", b""):  # a part that is no token; one part; none
            self.model(DEMO.with_value(b"tokenizer.ggml.merges", g.ARRAY, g.texts([merge])).bytes(), "tokenizer.ggml.merges[0]")

    def test_row_16_a_byte_token_must_name_a_byte(self):
        values = {b"model": (g.STRING, g.text(b"llama")), b"scores": (g.ARRAY, g.array(g.F32, "<f", [0.0, 0.0, 0.0])),
                  b"token_type": (g.ARRAY, g.array(g.I32, "<i", [2, 3, 6]))}
        for name in (b"<0x-1>", b"<0x100>", b"byte"):
            model = DEMO.with_value(b"tokenizer.ggml.tokens", g.ARRAY, g.texts([b"<unk>", b"<s>", name]))
            for key in (b"bos", b"eos", b"padding"):
                model = model.with_value(b"tokenizer.ggml." + key + b"_token_id", g.U32, g.u32(1))
            for key, (kind, value) in values.items():
                model = model.with_value(b"tokenizer.ggml." + key, kind, value)
            self.model(model.bytes(), "tokenizer.ggml.tokens[2]", "byte")

    def test_weights_and_keys_that_give_no_number_are_told_as_damage(self):
        norm = next(t for t in DEMO.tensors if t.name == b"output_norm.weight")
        nan = bytearray(DEMO.data)
        nan[norm.offset:norm.offset + 4 * norm.dims[0]] = struct.pack("<f", float("nan")) * norm.dims[0]
        path = Path(self.folder.name) / "nan.gguf"
        path.write_bytes(replace(DEMO, data=bytes(nan)).bytes())
        self.refused(tenon.run("run", "-m", str(path), "-p", "x"), "all 1024 logits of the model are NaN", "damaged")
        text = Path(self.folder.name) / "text.txt"
        text.write_text("Once upon a time")
        self.refused(tenon.run("perplexity", "-m", str(path), "-f", str(text)), "NaN or infinite", "damaged")
        key = DEMO.value(b"general.architecture")[2][8:] + b".attention.layer_norm_rms_epsilon"
        self.model(DEMO.with_value(key, g.F32, struct.pack("<f", -1.0)).bytes(), "norm_eps is -1, expected 0 or more")

    def test_a_folder_and_a_path_that_leads_nowhere(self):
        self.refused(tenon.run("run", "-m", self.folder.name, "-p", "x"), self.folder.name, "a folder")
        self.refused(tenon.run("run", "-m", self.folder.name + "/none.gguf", "-p", "x"), "none.gguf")


if __name__ == "__main__":
    tenon.main()
