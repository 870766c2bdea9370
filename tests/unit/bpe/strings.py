"""Texts that tokenizers get wrong: hand-picked ones and random mixtures."""
import random
import sys
import unicodedata

HAND_PICKED = [
    "", " ", "  ", "   ", "\n", "\n\n", "\n\n\n", "\t\n", "\r\n", "\r\n\r\n ", " \n", "  \n  ", "\n \n", "today\n \n", "\t\t x",
    "a", "a ", " a", "  a", "a  b", "a   b", "a\tb", "a\n b", "a \n b", "a  \n\n  b", "x\u00a0y", "x \u00a0y", "\u3000あ", " \u2003x",
    "333", "0" * 17, "1234567890", "1 2  3   4", "a1b22c333d4444", " 1", "  12", "\t1", "\n1", "３３３", "Ⅻ", "½¼", "x²", "١٩٨٧",
    "\U00011de0", " \U00011de0\U00011de1", "a\U00011de0b", "\U0001ccf0 12",
    "I'm", "I'M", "we'll", "WE'LL", "they'Re", "'s", "''s", "'rer", "'s'", "don't've", "'\u017f", "x'\u017fy", "'l", "'ll", "'lL", "'r",
    "' s", " 's", "\n's", "'ve'", "'D'd", "A\n'll !!to?'d''d of, can't.", "’s", "1's", "é's", "!'s", "IT'S", "it'Sx",
    "Hello, world!", "Hello,world", "hello_world", "HelloWorld", "HELLOworld", "helloWORLD", "HTTPServer", "iPhone15Pro", "ǅungla", "aǅb",
    "!!!", " !!!", "!!! ", "!!!\n\n", "!!!\r\n x", "...///", "/// \n", "//\n//", "a/b/c", "a.b", ".hidden", "_x", "-x", "--x", "$x", "€5", "#tag",
    "\u0301", "e\u0301", "\u0301a", "\u0301A", "\u0301AB", " \u0301", "!\u0301", "\u0301\u0301", "A\u0301B", "AB\u0301CD", "한\u0301A", "字A", "字ABC", "AB字", "AB字CDef",
    "Cửa Việt", "Cu\u031b\u0309a Vie\u0323\u0302t", "木匠量了两次横梁", "大工は、梁を2度測り", "カタカナ・ひらがな", "中1文2", "中 文", " 中", "\n中", "中!文", "龥龦", "ー゠〜",
    "한국어 텍스트", "हिन्दी में", "ภาษาไทย", "العربية ١٢", "שלום", "русский Текст", "Ελλάδα", "ქართული", "ᲐᲑᲒ",
    "👍", " 👍🏽", "👨\u200d👩\u200d👧", "🇩🇪🇫🇷", "a👍b", "👍1", "\u200b", " \u200b ", "a\u200bb", "\ufeffx", "\u00ad", "x\u0000y", "\u0000", "\u0000\u0000a",
    "1\u00002\ufffd3", " \x850", "\x85", "\x1c\x1d", "\x7f", "\u2028x", "\u2029\n", "\ue000", "\U0010ffff", "\ufffe", "\u0378",
    "abcdgym", "<|im_end|>", "<|im_start|>user\n", "<think>x</think>", "<|im", "<|imabcd|>",
    "    return x\n\n\n    if y:\n\t\tz = 1  # no\n", "a" * 100, "Z" * 257, "=" * 65, "^" * 40, "\n" * 33, " " * 70 + "x", "ab" * 40, "abc " * 20, "é" * 50, "字" * 50,
]

CONTRACTIONS = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'Ve", "'M", "'lL", "'D", "'\u017f", "'", "''"]
SPACES = [" ", " ", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2003", "\x85", "\x0b", "\x0c", "\u2028", " \n ", "\r"]


def _by_category():
    table = {}
    for code in range(sys.maxunicode + 1):
        category = unicodedata.category(chr(code))
        if category != "Cs":
            table.setdefault(category, []).append(chr(code))
    return table


CATEGORIES = _by_category()
SCRIPTS = [(0x21, 0x7E), (0x41, 0x5A), (0x61, 0x7A), (0x61, 0x7A), (0x30, 0x39), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x4FF),
           (0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F), (0x10A0, 0x10FF), (0x1C80, 0x1C8F), (0x2000, 0x206F), (0x2150, 0x218F),
           (0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xA7C0, 0xA7FF), (0xFF00, 0xFFEF), (0x10D40, 0x10D90), (0x11DE0, 0x11DEF),
           (0x16D40, 0x16D7F), (0x1F1E6, 0x1F64F), (0x1CCF0, 0x1CCFF)]


def _atom(rng, words):
    kind = rng.randrange(10)
    if kind == 0:
        return "".join(rng.choice(CATEGORIES[rng.choice(sorted(CATEGORIES))]) for _ in range(rng.randint(1, 3)))
    if kind in (1, 2):
        low, high = rng.choice(SCRIPTS)
        return "".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 6)))
    if kind in (3, 4):
        return rng.choice(SPACES) * rng.choice([1, 1, 1, 2, 3])
    if kind == 5:
        return rng.choice(CONTRACTIONS)
    if kind == 6:
        return "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 7)))
    if kind == 7:
        return "".join(rng.choice("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") for _ in range(rng.randint(1, 4)))
    word = rng.choice(words)
    return rng.choice([word, word, word, word.upper(), word.title(), " " + word])


def random_text(rng, words):
    return "".join(_atom(rng, words) for _ in range(rng.choice([1, 2, 3, 4, 6, 8, 12, 20])))


def random_texts(seed, count, words):
    rng = random.Random(seed)
    return [random_text(rng, words) for _ in range(count)]
