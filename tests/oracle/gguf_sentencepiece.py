"""The SentencePiece vocabulary of a GGUF file (tokenizer.ggml.model llama) as the `sentencepiece` package runs it."""
from pathlib import Path

import gguf
import sentencepiece
from sentencepiece import sentencepiece_model_pb2 as model_pb2

UNKNOWN, CONTROL, USER_DEFINED = 2, 3, 4


def load(path: Path) -> sentencepiece.SentencePieceProcessor:
    """Token types of GGUF files are SentencePiece's own. Control tokens in a text are ordinary text."""
    reader = gguf.GGUFReader(path)

    def value(key: str, default=None):
        field = reader.get_field(f"tokenizer.ggml.{key}")
        return default if field is None else field.contents()

    if value("model") != "llama":
        raise ValueError(f"tokenizer model {value('model')} is not SentencePiece")
    unknown = value("unknown_token_id", 0)
    model = model_pb2.ModelProto()
    for i, (token, score, kind) in enumerate(zip(value("tokens"), value("scores"), value("token_type"))):
        kind = UNKNOWN if i == unknown else CONTROL if kind == UNKNOWN else kind
        # Converters write user-defined pieces with the spaces of the text; the package matches them behind its escape.
        piece = token.replace(" ", "▁") if kind == USER_DEFINED else token
        model.pieces.add(piece=piece, score=score, type=kind)
    model.trainer_spec.model_type = model_pb2.TrainerSpec.BPE
    model.trainer_spec.byte_fallback = True
    model.trainer_spec.unk_id = unknown
    model.trainer_spec.bos_id, model.trainer_spec.eos_id = value("bos_token_id", 1), value("eos_token_id", 2)
    model.trainer_spec.pad_id = -1
    model.trainer_spec.unk_piece = model.pieces[unknown].piece
    model.trainer_spec.bos_piece = model.pieces[model.trainer_spec.bos_id].piece
    model.trainer_spec.eos_piece = model.pieces[model.trainer_spec.eos_id].piece
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = value("add_space_prefix", True)
    model.normalizer_spec.remove_extra_whitespaces = False
    model.normalizer_spec.escape_whitespaces = True
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(model.SerializeToString())
    return processor


def encode(processor: sentencepiece.SentencePieceProcessor, text: str) -> list[int]:
    return processor.encode(text)
