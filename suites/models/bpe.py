r"""Byte-level byte-pair encoding in GPT-2's file format (vocab.json, merges.txt): encode, decode, learn.

The algorithm is that of "Neural Machine Translation of Rare Words with Subword Units" (ACL 2016), on bytes as
in GPT-2's paper, "Language Models are Unsupervised Multitask Learners" (2019), section 2.2. Text is first cut
into words by GPT-2's pattern, written here for the standard `re`, which does not have `\p{L}` and
`\p{N}`: letters are `[^\W\d_]`, numbers `\d`. They differ for numeric characters that are not decimal
digits (superscripts, fractions, Roman numerals: letters here, numbers there) and for U+001C to U+001F
(white space only here). For all other text the words are the same.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

WORD = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")
END = "<|endoftext|>"
Pair = tuple[str, str]


def byte_characters() -> list[str]:
    """The printable character for each byte: itself, or one from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return [chr(byte if byte in printable else 0x100 + others.index(byte)) for byte in range(256)]


CHARACTERS = byte_characters()
BYTES = {character: byte for byte, character in enumerate(CHARACTERS)}


class Tokenizer:
    """Converts text to ids and back. `merges` are in order of rank."""

    def __init__(self, vocabulary: dict[str, int], merges: Sequence[Pair]) -> None:
        self.vocabulary = vocabulary
        self.ranks = {pair: rank for rank, pair in enumerate(merges)}
        self._tokens = {number: token for token, number in vocabulary.items()}
        self._encode_word = lru_cache(maxsize=None)(self._merge)

    @classmethod
    def load(cls, folder: Path) -> Tokenizer:
        """Read vocab.json and merges.txt."""
        vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
        lines = (folder / "merges.txt").read_text(encoding="utf-8").split("\n")
        pairs = (line.split(" ") for line in lines if line and not line.startswith("#version"))
        return cls(vocabulary, [(first, second) for first, second in pairs])

    def save(self, folder: Path) -> None:
        """Write vocab.json and merges.txt."""
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.vocabulary, ensure_ascii=False, indent=0)
        (folder / "vocab.json").write_text(text + "\n", encoding="utf-8")
        lines = ["#version: 0.2", *(" ".join(pair) for pair in self.ranks)]
        (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    @property
    def end(self) -> int:
        """The id of the token that ends a text; `encode` never makes it."""
        return self.vocabulary[END]

    def encode(self, text: str) -> list[int]:
        """The ids of a text."""
        return [number for word in WORD.findall(text) for number in self._encode_word(word)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids; bytes that are not UTF-8 become U+FFFD."""
        characters = "".join(self._tokens[number] for number in ids)
        return bytes(BYTES[character] for character in characters).decode("utf-8", errors="replace")

    def _merge(self, word: str) -> list[int]:
        parts = _spell(word)
        while len(parts) > 1:
            best = min(pairwise(parts), key=lambda pair: self.ranks.get(pair, math.inf))
            if best not in self.ranks:
                break
            parts = _join(parts, best)
        return [self.vocabulary[part] for part in parts]


def learn(text: str, least: int = 2) -> Tokenizer:
    """A tokenizer of every pair that occurs `least` times, the most frequent first, ties in text order."""
    words = {word: _spell(word) for word in WORD.findall(text)}
    count = Counter(WORD.findall(text))
    merges: list[Pair] = []
    while True:
        pairs: Counter[Pair] = Counter()
        for word, parts in words.items():
            for pair in pairwise(parts):
                pairs[pair] += count[word]
        best = max(pairs, key=pairs.__getitem__, default=None)
        if best is None or pairs[best] < least:
            break
        merges.append(best)
        words = {word: _join(parts, best) for word, parts in words.items()}
    order = sorted(CHARACTERS, key=ord)
    tokens = dict.fromkeys([*order, *(a + b for a, b in merges), END])
    return Tokenizer({token: number for number, token in enumerate(tokens)}, merges)


def _spell(word: str) -> list[str]:
    return [CHARACTERS[byte] for byte in word.encode("utf-8")]


def _join(parts: Sequence[str], pair: Pair) -> list[str]:
    joined: list[str] = []
    i = 0
    while i < len(parts):
        if tuple(parts[i : i + 2]) == pair:
            joined.append(parts[i] + parts[i + 1])
            i += 2
        else:
            joined.append(parts[i])
            i += 1
    return joined
