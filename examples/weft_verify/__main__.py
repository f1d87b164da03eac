"""python3 -m weft_verify FILE...: checks certificates; exits 0 if all are proven, 1 if one is not, 2 without files."""

import json
import sys

from .check import check_text
from .refusal import MAX_TEXT


def main(arguments):
    as_json = "--json" in arguments
    paths = [one for one in arguments if one != "--json"]
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    worst = 0
    for path in paths:
        with open(path, "rb") as file:
            verdict = check_text(file.read(MAX_TEXT + 1))
        worst = max(worst, 0 if verdict["verdict"] == "proven" else 1)
        print(json.dumps(verdict) if as_json else f"{path}: {verdict['sentence']}")
    return worst


sys.exit(main(sys.argv[1:]))
