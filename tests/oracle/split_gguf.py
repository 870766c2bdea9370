#!/usr/bin/env python3
"""split_gguf.py MODEL.gguf FOLDER N: the model in files of at most N tensors each, as the `gguf` package splits it."""
import sys
from pathlib import Path

import gguf


def split(source: Path, folder: Path, most_tensors: int) -> None:
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(folder / source.name, reader.get_field("general.architecture").contents(), split_max_tensors=most_tensors)
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name == "general.architecture":
            continue  # the writer makes these itself
        kind = field.types[0]
        writer.add_key_value(name, field.contents(), kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    split(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
