"""The outcome of a step that fails."""

MAX_TEXT = 8 * 1024 * 1024


class Refusal(Exception):
    """A step of the check failed: its code in docs/certificate.md, and a sentence."""

    def __init__(self, code, sentence, refuted=True):
        super().__init__(sentence)
        self.code = code
        self.refuted = refuted
