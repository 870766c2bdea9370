"""The tokenizer of a GGUF file as the `tokenizers` package runs it, without any code of an inference engine."""
from pathlib import Path

import gguf
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

NORMAL, CONTROL, USER_DEFINED = 1, 3, 4

PRE_TOKENIZERS = {
    "smollm": lambda: pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
    ]),
    "gpt-2": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
}


def load(path: Path, *, added_tokens: bool = False) -> Tokenizer:
    """With added_tokens, control tokens in a text become their ids; without, their text is ordinary text."""
    reader = gguf.GGUFReader(path)
    value = lambda key: reader.get_field(f"tokenizer.ggml.{key}").contents()
    if value("model") != "gpt2":
        raise ValueError(f"tokenizer model {value('model')} is not byte-level BPE")
    tokens, kinds = value("tokens"), value("token_type")
    merges = [tuple(merge.split(" ", 1)) for merge in value("merges")]
    tokenizer = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=merges))
    tokenizer.pre_tokenizer = PRE_TOKENIZERS[value("pre")]()
    tokenizer.decoder = decoders.ByteLevel()
    if added_tokens:
        tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False)
                                      for token, kind in zip(tokens, kinds) if kind in (CONTROL, USER_DEFINED)])
    return tokenizer


def encode(tokenizer: Tokenizer, text: str) -> list[int]:
    return tokenizer.encode(text, add_special_tokens=False).ids
