"""The pre-tokenizers of the `tokenizers` package that belong to the values of tokenizer.ggml.pre."""
from tokenizers import Regex
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
TAIL = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
W1 = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
W2 = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"


def cl100k(digits, word=r"\p{L}", symbols=r" ?[^\s\p{L}\p{N}]+[\r\n]*"):
    return rf"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?{word}+|{digits}|{symbols}{TAIL}"


def o200k(digits, suffix):
    word = rf"[^\r\n\p{{L}}\p{{N}}]?{W1}*{W2}+{suffix}|[^\r\n\p{{L}}\p{{N}}]?{W1}+{W2}*{suffix}"
    return rf"{word}|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*{TAIL}"


DEEPSEEK_V3 = [
    r"\p{N}{1,3}",
    "[一-龥぀-ゟ゠-ヿ]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*""" + TAIL,
]


def _split(*patterns):
    steps = [Split(Regex(p), "isolated") for p in patterns]
    return Sequence(steps + [ByteLevel(add_prefix_space=False, use_regex=False)])


GPT2 = ByteLevel(add_prefix_space=False, use_regex=True)

# One value of `pre` for each scanner, and whether it ignores merges.
PRE_TOKENIZERS = {
    "gpt-2": (GPT2, False),
    "smollm": (Sequence([Digits(individual_digits=True), GPT2]), False),
    "llama-bpe": (_split(cl100k(r"\p{N}{1,3}")), True),
    "dbrx": (_split(cl100k(r"\p{N}{1,3}")), False),
    "qwen2": (_split(cl100k(r"\p{N}")), False),
    "qwen35": (_split(cl100k(r"\p{N}", r"[\p{L}\p{M}]", r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*")), False),
    "seed-coder": (_split(cl100k(r"\p{N}{1}", symbols=r" ?[^\s\p{L}\p{N}\r\n]+")), False),
    "gpt-4o": (_split(o200k(r"\p{N}{1,3}", CONTRACTIONS + "?")), False),
    "tekken": (_split(o200k(r"\p{N}", "")), True),
    "deepseek-v3": (_split(*DEEPSEEK_V3), False),
}
