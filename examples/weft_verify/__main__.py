"""Usage: python3 -m weft_verify [--block HASH] [--node URL]... [--json] name.weft.json...

  --block HASH  a block of the chain that you trust
  --node URL    a node that you trust; repeat for more
  --json        a JSON object a line, in place of a sentence

Without either a file is at most consistent: whether its block is of the chain is not checked.
Exit codes: 0 every file is proven; 1 one is refuted, undecided or cannot be read; 2 usage; 4 one is only consistent.
"""

import argparse
import json
import re
import sys
from urllib.parse import urlsplit

from .check import check_text
from .refusal import MAX_TEXT


def block_hash(text):
    if re.fullmatch("(0x)?[0-9a-fA-F]{64}", text) is None:
        raise argparse.ArgumentTypeError("must be the hash of a block, 64 hexadecimal digits")
    return bytes.fromhex(text[-64:])


def node_url(text):
    try:
        host = urlsplit(text).hostname if re.match("https?://[!-~]*\\Z", text) else None
    except ValueError:
        host = None
    if not host:
        raise argparse.ArgumentTypeError("must be an address like https://node.example")
    return text


def verdict_on(path, block, nodes):
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_TEXT + 1)
    except (OSError, ValueError) as error:
        nothing = dict.fromkeys(("chain", "block", "registry", "sources"))
        return {"verdict": "undecided", "code": "unreadable", "sentence": f"It cannot be read: {error}", **nothing}
    return check_text(data, block, nodes)


def main(arguments):
    parser = argparse.ArgumentParser(prog="python3 -m weft_verify", add_help=False, allow_abbrev=False)
    parser.format_help = parser.format_usage = lambda: __doc__
    parser.add_argument("files", nargs="+")
    parser.add_argument("--block", type=block_hash)
    parser.add_argument("--node", type=node_url, action="append", default=[])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("-h", "--help", action="help")
    options = parser.parse_args(arguments)
    # Names of files need not be text.
    sys.stdout.reconfigure(errors="replace")
    verdicts = set()
    for path in options.files:
        found = verdict_on(path, options.block, options.node)
        verdicts.add(found["verdict"])
        print(json.dumps({"file": path, **found}) if options.json else f"{path}: {found['sentence']}", flush=True)
    if verdicts & {"refuted", "undecided"}:
        return 1
    return 4 if "consistent" in verdicts else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()
        sys.exit(1)
