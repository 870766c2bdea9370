"""Reads a GGUF file into its parts and writes it again with some of them changed: for files that are wrong on purpose."""

import struct
from dataclasses import dataclass, replace

I32 = 5
U32, F32, STRING, ARRAY, U64 = 4, 6, 8, 9, 10
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


@dataclass(frozen=True)
class Tensor:
    name: bytes
    dims: tuple
    dtype: int
    offset: int


@dataclass(frozen=True)
class Gguf:
    version: int
    values: list  # (key, type, bytes as in the file)
    tensors: list
    data: bytes
    alignment: int = 32

    def bytes(self, n_tensors=None, n_values=None):
        head = struct.pack("<4sIQQ", b"GGUF", self.version, len(self.tensors) if n_tensors is None else n_tensors,
                           len(self.values) if n_values is None else n_values)
        for key, kind, value in self.values:
            head += text(key) + struct.pack("<I", kind) + value
        for t in self.tensors:
            head += text(t.name) + struct.pack("<I", len(t.dims)) + struct.pack(f"<{len(t.dims)}Q", *t.dims)
            head += struct.pack("<IQ", t.dtype, t.offset)
        return head + b"\0" * (-len(head) % self.alignment) + self.data

    def with_value(self, key, kind, value):
        return replace(self, values=[v for v in self.values if v[0] != key] + [(key, kind, value)])

    def without(self, key):
        return replace(self, values=[v for v in self.values if v[0] != key])

    def with_tensor(self, index, **changes):
        tensors = list(self.tensors)
        tensors[index] = replace(tensors[index], **changes)
        return replace(self, tensors=tensors)

    def value(self, key):
        return next(v for v in self.values if v[0] == key)


def text(value):
    return struct.pack("<Q", len(value)) + value


def array(kind, form, values):
    return struct.pack("<IQ", kind, len(values)) + b"".join(struct.pack(form, value) for value in values)


def texts(values):
    return struct.pack("<IQ", STRING, len(values)) + b"".join(text(value) for value in values)


def u32(value):
    return struct.pack("<I", value)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def string(self):
        n = self.take("Q")
        self.at += n
        return self.data[self.at - n:self.at]

    def skip(self, kind):
        if kind == STRING:
            self.string()
        elif kind == ARRAY:
            element, n = self.take("IQ")
            for _ in range(n):
                self.skip(element)
        else:
            self.at += SIZES[kind]


def read(path):
    with open(path, "rb") as file:
        r = Reader(file.read())
    _, version, n_tensors, n_values = r.take("4sIQQ")
    values, tensors = [], []
    for _ in range(n_values):
        key, kind = r.string(), r.take("I")
        first = r.at
        r.skip(kind)
        values.append((key, kind, r.data[first:r.at]))
    for _ in range(n_tensors):
        name, rank = r.string(), r.take("I")
        dims = struct.unpack_from(f"<{rank}Q", r.data, r.at)
        r.at += 8 * rank
        tensors.append(Tensor(name, dims, *r.take("IQ")))
    r.at += -r.at % 32
    return Gguf(version, values, tensors, r.data[r.at:])
