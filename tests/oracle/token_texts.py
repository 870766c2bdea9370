"""Texts for the tokenizer golden, by subject. A repeated unit is written as {"repeat": unit, "times": n}."""

ENGLISH = [
    "", "a", "I", "the", "The", " the", "Hello", "Hello, world!", " Hello, world!", "hello world", "HELLO WORLD",
    "Hello  World",
    "The quick brown fox jumps over the lazy dog.", "Measure twice, cut once.", "A mortise and a tenon make a joint.",
    "It was the best of times, it was the worst of times;", "\"Well,\" she said, \"that's that.\"",
    "e.g. this, i.e. that, etc.",
    "antidisestablishmentarianism", "supercalifragilisticexpialidocious", "floccinaucinihilipilification", "naïve café résumé",
    "state-of-the-art", "well-known — and then – some", "Dr. Smith's Ph.D. (1998)", "U.S.A.",
    "www.example.com/index.html?a=1&b=2#top",
    "user.name+tag@example.org", "#hashtag @mention $TICKER", "CamelCaseWord snake_case_word kebab-case-word SCREAMING_CASE",
    "¿Qué tal? ¡Bien!", "Größe, Straße, Übermut", "œuvre, æther, ﬁne ligature", "“curly” ‘quotes’ and … dots",
]
CONTRACTIONS = [
    "I'm", "I'M", "you're", "YOU'RE", "we've", "WE'VE", "it's", "IT'S", "don't", "DON'T", "she'll", "SHE'LL", "he'd", "HE'D",
    "they'Re", "'s", "'S", "''s", "'t", "'re", "'ll", "'lll", "'", "''", "' s", " 's", "x 's", "don't've", "rock'n'roll",
    "o'clock", "it’s", "IT’S",
    "1's", "é's", "'\u017f", "'tis 'twas",
]
NUMBERS = [
    "0", "1", "12", "123", "1234", "1234567890", "3.14159", "-273.15", "1,000,000", "1e-5", "0x1F", "2024-12-01T10:00:00Z",
    "10:30", "50%",
    "$19.99", "€5", "x2", "2x", "a1b22c333", " 1", "  12", "1 2  3   4", "\t1", "\n1", "½ ¼ ¾", "x² + y³", "Ⅻ ⅷ", "３３３", "١٩٨٧",
    "१२३", "①②", "1st 2nd 3rd",
]
CODE = [
    "def f(x):\n    return x + 1\n", "for (int i = 0; i < n; ++i) {\n\tsum += a[i];\n}\n", "#include <vector>\n",
    "std::vector<std::string> v{\"a\", \"b\"};",
    "if (x != nullptr && *x >= 0) return;", "SELECT * FROM t WHERE id = 42;", "{\"key\": [1, 2.5, null, true]}",
    "<div class=\"a\">text</div>",
    "git commit -m 'fix: it'", "a->b.c[d](e)", "x = y ** 2 // 3 % 4", "/* comment */ // another",
    "\\begin{equation} E = mc^2 \\end{equation}",
    "    deep\n        deeper\n            deepest", "\tif x:\n\t\tpass", "https://example.com/a_b-c.d~e", "!!!", "...", "??!!",
    "=====", "-----", "***", "({[<>]})",
    "a=b", "a = b", "a==b", "λx.x", "∀x ∈ ℝ: x² ≥ 0", "C:\\path\\to\\file.txt", "~/.config/x.json", "%d %s %5.2f\\n",
    "`code` **bold** _it_",
]
SPACES = [
    " ", "  ", "   ", "    ", "     ", "        ", "\t", "\t\t", "\n", "\n\n", "\n\n\n", "\r", "\r\n", "\r\n\r\n", "a\r\nb\r\n",
    " \n", "\n ", " \n \n ", "  \n  ", "\t \t",
    "a ", " a", "a  b", "a   b", "a    b", "a\tb", "a \tb", "a\t b", "a\n b", "a \nb", "a\n\n  b", "trailing   ", "   leading",
    "a\u00a0b", " \u00a0 x", "\u3000x",
    "a\u2003b", "a\u2028b", "a\x0bb\x0cc", "a\x85b", "\u200b", "a\u200bb", "\ufeffx", "\u00ad",
]
SYMBOLS = [
    "👍", " 👍", "👍🏽", "👨\u200d👩\u200d👧\u200d👦", "👩\u200d🔧 works", "🏳\ufe0f\u200d🌈", "🇩🇪🇫🇷", "❤\ufe0f", "a👍b", "👍1", "😀😀😀",
    "1\ufe0f\u20e3", "→ ← ↑ ↓", "©®™", "♠♥♦♣", "░▒▓█",
]
SCRIPTS = [
    "木匠量了两次横梁。", "中文", "中1文2", "中 文", " 中", "你好，世界！", "龥龦", "大工は、梁を二度測りました。", "カタカナ・ひらがな", "日本語テキスト", "ｱｲｳ", "ー゠〜",
    "목수는 들보를 두 번 쟀다.", "한국어 텍스트", "한\u0301", "\u1112\u1161\u11ab", "Плотник дважды измерил балку.", "русский Текст",
    "Ёлка, объём", "Україна",
    "قاس النجار العارضة مرتين.", "العربية", "السلام عليكم", "שלום עולם", "Ο ξυλουργός μέτρησε", "बढ़ई ने शहतीर को दो बार नापा।",
    "ภาษาไทย", "ქართული", "Հայերեն", "አማርኛ", "Tiếng Việt",
]
MARKS = [
    "e\u0301", "\u0301", " \u0301", "\u0301a", "a\u0301\u0301\u0301", "!\u0301", "Cu\u031b\u0309a Vie\u0323\u0302t",
    "Z\u0351\u036b\u0343a\u0321\u034el\u0325g\u0347o\u0331", "n\u0303 ñ", "A\u030a Å \u212b",
]
ODD = [
    "\x00", "\x00\x00a", "a\x00b", "\x01\x02\x03", "\x1b[31mred\x1b[0m", "\x7f", "\ufffd", "1\x002\ufffd3", "\ufffd\ufffd",
    "\ufffe", "\uffff", "\ue000", "\U0010ffff", "\U0001d400\U0001d401", "\u0378",
    "\u202eabc\u202c", "\u2066x\u2069", "ǅungla", "ß ẞ", "İstanbul ı", "ﷺ",
]
ADDED = [
    "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|im_start|>user\nHi<|im_end|>\n",
    "<|im_start|>system\nYou are.<|im_end|>\n<|im_start|>assistant\n", "a<|im_end|>b", "a <|im_end|> b",
    "<|im_end|><|im_end|>", "<|im_end", "im_end|>", "<|im_|>", "<<|im_end|>>", "<| im_end |>", "<|IM_END|>",
    "<repo_name>x/y<file_sep>z", "<filename>", "<jupyter_code>print(1)", "  <|endoftext|>  ",
    "<|im_start|>" * 3 + "x",
]
RUNS = [
    ("Z", 4096), ("a", 5000), (" ", 4097), ("\n", 4096), ("\t", 3000), ("0", 2048), ("é", 2048), ("字", 2048), ("👍", 1000),
    ("ab", 4096),
    ("the ", 3000), ("=", 4096), ("-", 1025), ("'s", 1024), ("\x00", 512), (" \n", 1024), ("\r\n", 1024), ("e\u0301", 1024),
    ("<|im_end|>", 512), ("Hello, world! 123\n", 400), ("Z", 131072), (" ", 131072),
]
REPEATED = [{"repeat": unit, "times": times} for unit, times in RUNS]
SUBJECTS: dict[str, list] = {
    "english": ENGLISH, "contractions": CONTRACTIONS, "numbers": NUMBERS, "code": CODE, "spaces": SPACES, "symbols": SYMBOLS,
    "scripts": SCRIPTS,
    "combining marks": MARKS, "odd characters": ODD, "added tokens": ADDED, "repeated": REPEATED,
}
