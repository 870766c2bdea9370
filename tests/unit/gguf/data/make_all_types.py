"""Writes all_types.gguf with PyPI's gguf (llama.cpp's own Python writer), for reference_files_test.cpp.

    pip install gguf numpy && python make_all_types.py
"""
import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter

w = GGUFWriter("all_types.gguf", "llama")
w.add_uint8("v.u8", 200)
w.add_int8("v.i8", -100)
w.add_uint16("v.u16", 60000)
w.add_int16("v.i16", -30000)
w.add_uint32("v.u32", 4000000000)
w.add_int32("v.i32", -2000000000)
w.add_uint64("v.u64", 2**64 - 2)
w.add_int64("v.i64", -(2**62))
w.add_float32("v.f32", 1.5)
w.add_float64("v.f64", 0.1)
w.add_bool("v.bool", True)
w.add_string("v.string", "na\u00efve \U0001f600")
w.add_array("a.strings", ["", "\u0120t", "three"])
w.add_array("a.i32", [1, -2, 3])
w.add_array("a.f32", [0.5, -0.25])
w.add_array("a.bool", [True, False, True])
w.add_tensor("matrix", np.arange(6, dtype=np.float32).reshape(2, 3))
w.add_tensor("cube", np.arange(24, dtype=np.float16).reshape(2, 3, 4))
w.add_tensor("ids", np.array([7, -8], dtype=np.int32))
w.add_tensor("blocks", np.arange(2 * 36, dtype=np.uint8).reshape(2, 36), raw_dtype=GGMLQuantizationType.Q4_0)
w.write_header_to_file()
w.write_kv_data_to_file()
w.write_tensors_to_file()
w.close()
