"""The outcome of a step that fails."""

import json

MAX_TEXT = 8 * 1024 * 1024


class Refusal(Exception):
    """A step of the check failed: its code in docs/certificate.md, and a sentence."""

    def __init__(self, code, sentence, refuted=True):
        super().__init__(sentence)
        self.code = code
        self.refuted = refuted


def quoted(text):
    """A text of the file as a part of a sentence: in quotes, bounded, without control characters."""
    plain = "".join(one if " " <= one <= "~" else "?" for one in text[:128])
    return json.dumps(plain)
