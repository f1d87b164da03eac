"""What a reader knows of a chain before any certificate: the hash of a block, or nodes."""

import json
import urllib.request
from http.client import HTTPException
from urllib.parse import urlsplit

from .header import header_fields
from .keccak import keccak256
from .refusal import Refusal, quoted

NAMES = (
    "parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed "
    "timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot "
    "requestsHash blockAccessListHash slotNumber"
).split()
NUMBERS = set("difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas slotNumber".split())
TIMEOUT = 60
MAX_ANSWER = 1 << 22


def trusted(facts, block, nodes):
    """Compares the block of a file with what is trusted: part of a sentence, or None where that is nothing."""
    digest = facts["block"][1]
    if block is not None and block != digest:
        stated = f"0x{digest.hex()}"
        raise Refusal("other_block", f"The file is of block {stated}, not of the one that you trust.", False)
    for url in nodes:
        _check_node(url, facts["id"], *facts["block"])
    words = [] if block is None else ["you name it"]
    if nodes:
        names = ", ".join(quoted(urlsplit(url).netloc.rpartition("@")[2]) for url in nodes)
        words.append(f"{names} {'has' if len(nodes) == 1 else 'have'} it")
    return ", and ".join(words) or None


def _check_node(url, chain_id, number, digest):
    name = quoted(urlsplit(url).netloc.rpartition("@")[2])
    try:
        found = int(_ask(url, "eth_chainId", []), 16)
        answer = _ask(url, "eth_getBlockByNumber", [hex(number), False])
    except (OSError, HTTPException, RecursionError, ValueError, TypeError, KeyError):
        raise Refusal("no_source", f"The node {name} does not answer.", False) from None
    if found != chain_id:
        raise Refusal("other_chain", f"The node {name} is on chain {found}, not on chain {chain_id}.")
    header = _encoded(answer)
    fields = header and header_fields(header)
    if not fields or int.from_bytes(fields[8], "big") != number:
        raise Refusal("no_source", f"The node {name} gives no header of block {number}.", False)
    if keccak256(header) != digest:
        raise Refusal("other_block", f"The node {name} has another block {number}.")


def _ask(url, method, params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        return json.loads(response.read(MAX_ANSWER))["result"]


def _encoded(block):
    """The header as it is hashed, or None where its hash is not that of the fields."""
    if not isinstance(block, dict):
        return None
    fields = []
    try:
        for name in NAMES:
            value = block.get(name)
            if value is None:
                continue
            number = int(value, 16) if name in NUMBERS else None
            data = bytes.fromhex(value[2:]) if number is None else number.to_bytes((number.bit_length() + 7) // 8, "big")
            fields.append(data if len(data) == 1 and data[0] < 0x80 else _prefixed(0x80, data))
        header = _prefixed(0xC0, b"".join(fields))
        return header if keccak256(header) == bytes.fromhex(block["hash"][2:]) else None
    except (ValueError, TypeError, KeyError, OverflowError):
        return None


def _prefixed(base, data):
    if len(data) < 56:
        return bytes([base + len(data)]) + data
    size = len(data).to_bytes((len(data).bit_length() + 7) // 8, "big")
    return bytes([base + 55 + len(size)]) + size + data
