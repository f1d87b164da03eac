"""The header of a block: step 2 of docs/certificate.md."""

from .trie import MalformedRlp, decode_rlp

SAFE = (1 << 53) - 1
SIZES = {0: 32, 1: 32, 2: 20, 3: 32, 4: 32, 5: 32, 6: 256, 13: 32, 14: 8}


def header_fields(data):
    """The fields of a header as it is hashed, or None where the bytes are none."""
    try:
        fields = decode_rlp(data)
    except MalformedRlp:
        return None
    if not isinstance(fields, list) or not 15 <= len(fields) <= 32:
        return None
    if not all(isinstance(field, bytes) for field in fields):
        return None
    if any(len(fields[i]) != size for i, size in SIZES.items()):
        return None
    if any(len(fields[i]) > 32 or fields[i][:1] == b"\0" for i in (8, 9, 11)):
        return None
    return fields if int.from_bytes(fields[8], "big") <= SAFE else None
