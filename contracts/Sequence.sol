// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ByteReader} from "./ByteReader.sol";
import {InvalidEntity} from "./Errors.sol";
import {ITransformation} from "./IEntities.sol";

/// s(0) = start point, s(k) = call[(shift + k - 1) mod n](s(k - 1)), computed in chunks.
struct Sequence {
    /// s after the steps made so far.
    uint256 value;
    /// Calls in the cycle.
    uint256 calls;
    /// Number of the next call.
    uint256 turn;
    /// The transformation that all calls use, zero when there are several.
    address transformation;
    /// All calls use one transformation: calldata of `range` or `cycle`. Else: the record of the next call.
    uint256 calldataAt;
    uint256 calldataSize;
}

library Sequences {
    using ByteReader for uint256;

    /// Steps requested in one call. Larger chunks cost the transformation more memory than they save in calls.
    uint256 internal constant PIECE = 2048;

    /// A record of a call stands in memory as: next record, address, calldata size, then calldata of `run`; it is
    /// known by the place of x in that calldata.
    uint256 private constant RECORD_NEXT = 0x80;
    uint256 private constant RECORD_ADDRESS = 0x60;
    uint256 private constant RECORD_SIZE = 0x40;

    /// @param callsAt The calls of a dimension in connector data, at least one.
    function prepare(uint256 callsAt, uint256 calls, uint256 startPoint, uint256 shift)
        internal
        pure
        returns (Sequence memory sequence)
    {
        sequence.value = startPoint;
        sequence.calls = calls;
        sequence.turn = shift % calls;
        if (_sameTransformation(callsAt, calls)) {
            sequence.transformation = callsAt.addr();
            if (calls == 1 || (callsAt + 20).u16() == 0) _prepareRange(sequence, callsAt);
            else _prepareCycle(sequence, callsAt);
        } else {
            _prepareRecords(sequence, callsAt);
        }
    }

    /// Computes the next `count` values and writes them to `target`, four bytes each. Up to 28 bytes behind them are
    /// overwritten with zeros.
    function advance(Sequence memory sequence, uint256 count, uint256 target) internal view {
        if (sequence.transformation == address(0)) {
            _runEach(sequence, count, target);
            return;
        }
        while (count > PIECE) {
            _runPiece(sequence, PIECE, target);
            count -= PIECE;
            target += 4 * PIECE;
        }
        if (count != 0) _runPiece(sequence, count, target);
    }

    /// Computes the next `count` values and keeps only the last.
    function skip(Sequence memory sequence, uint256 count) internal view {
        uint256 buffer;
        assembly ("memory-safe") {
            // Beyond the free memory pointer: not used otherwise before this function returns.
            buffer := add(mload(0x40), 0x20)
        }
        while (count > PIECE) {
            advance(sequence, PIECE, buffer);
            count -= PIECE;
        }
        advance(sequence, count, buffer);
    }

    function _runPiece(Sequence memory sequence, uint256 count, uint256 target) private view {
        address transformation = sequence.transformation;
        uint256 ptr = sequence.calldataAt;
        uint256 size = sequence.calldataSize;
        uint256 value = sequence.value;
        bool sound;
        assembly ("memory-safe") {
            mstore(add(ptr, 0x04), value)
            mstore(add(ptr, 0x44), count)
            if iszero(staticcall(gas(), transformation, ptr, size, 0, 0)) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
            let length := shl(2, count)
            sound := eq(returndatasize(), length)
            if sound {
                returndatacopy(target, 0, length)
                value := and(mload(sub(add(target, length), 0x20)), 0xffffffff)
            }
        }
        if (!sound) revert InvalidEntity(transformation);
        sequence.value = value;
        if (sequence.calls != 1) {
            uint256 turn = (sequence.turn + count) % sequence.calls;
            sequence.turn = turn;
            // The last word of the head of `cycle`; of `range` without arguments, a length that is not read.
            if (size > 0x84) {
                assembly ("memory-safe") {
                    mstore(add(ptr, 0x84), turn)
                }
            }
        }
    }

    function _runEach(Sequence memory sequence, uint256 count, uint256 target) private view {
        uint256 record = sequence.calldataAt;
        uint256 value = sequence.value;
        bool sound = true;
        assembly ("memory-safe") {
            for { let end := add(target, shl(2, count)) } lt(target, end) { target := add(target, 4) } {
                mstore(record, value)
                let success :=
                    staticcall(
                        gas(),
                        mload(sub(record, RECORD_ADDRESS)),
                        sub(record, 4),
                        mload(sub(record, RECORD_SIZE)),
                        0,
                        0x20
                    )
                value := mload(0)
                if iszero(lt(shr(32, value), and(success, gt(returndatasize(), 31)))) {
                    if iszero(success) {
                        returndatacopy(0, 0, returndatasize())
                        revert(0, returndatasize())
                    }
                    sound := 0
                    break
                }
                mstore(target, shl(224, value))
                record := mload(sub(record, RECORD_NEXT))
            }
        }
        if (!sound) {
            address transformation;
            assembly ("memory-safe") {
                transformation := mload(sub(record, RECORD_ADDRESS))
            }
            revert InvalidEntity(transformation);
        }
        sequence.calldataAt = record;
        sequence.value = value;
    }

    function _sameTransformation(uint256 ptr, uint256 calls) private pure returns (bool) {
        address first = ptr.addr();
        uint256 width = (ptr + 20).u16();
        for (uint256 c = 1; c < calls; ++c) {
            ptr += 22 + 4 * width;
            if (ptr.addr() != first || (ptr + 20).u16() != width) return false;
        }
        return true;
    }

    function _prepareRange(Sequence memory sequence, uint256 callAt) private pure {
        uint256 ptr = _allocate(0x84 + 32 * (callAt + 20).u16());
        uint256 end = _putArgs(callAt, _putWord(_putHead(ptr, ITransformation.range.selector, 0x60), 0));
        (sequence.calldataAt, sequence.calldataSize) = (ptr, end - ptr);
        // Without arguments every call is the same one.
        sequence.calls = 1;
    }

    function _prepareCycle(Sequence memory sequence, uint256 callAt) private pure {
        uint256 width = (callAt + 20).u16();
        uint256 ptr = _allocate(0xc4 + 32 * width * sequence.calls);
        uint256 to = _putWord(_putHead(ptr, ITransformation.cycle.selector, 0xa0), 0);
        to = _putWord(_putWord(_putWord(to, width), sequence.turn), width * sequence.calls);
        for (uint256 c; c < sequence.calls; ++c) {
            to = _putNumbers(callAt + 22, width, to);
            callAt += 22 + 4 * width;
        }
        (sequence.calldataAt, sequence.calldataSize) = (ptr, to - ptr);
    }

    function _prepareRecords(Sequence memory sequence, uint256 callAt) private pure {
        uint256 first;
        uint256 previous;
        uint256 calls = sequence.calls;
        for (uint256 c; c < calls; ++c) {
            uint256 width = (callAt + 20).u16();
            uint256 record = _allocate(0xe0 + 32 * width) + RECORD_NEXT;
            address transformation = callAt.addr();
            uint256 selector = uint32(ITransformation.run.selector);
            assembly ("memory-safe") {
                mstore(sub(record, RECORD_ADDRESS), transformation)
                mstore(sub(record, RECORD_SIZE), add(0x64, shl(5, width)))
                mstore(sub(record, 0x20), selector)
                mstore(add(record, 0x20), 0x40)
            }
            _putArgs(callAt, record + 0x40);
            if (c == 0) first = record;
            else _link(previous, record);
            if (c == sequence.turn) sequence.calldataAt = record;
            previous = record;
            callAt += 22 + 4 * width;
        }
        _link(previous, first);
    }

    function _link(uint256 record, uint256 nextRecord) private pure {
        assembly ("memory-safe") {
            mstore(sub(record, RECORD_NEXT), nextRecord)
        }
    }

    /// Selector, room for x, offset of the arguments.
    function _putHead(uint256 ptr, bytes4 selector, uint256 offset) private pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(ptr, selector)
            mstore(add(ptr, 0x24), offset)
        }
        return ptr + 0x44;
    }

    /// Length and words of the arguments of one call.
    function _putArgs(uint256 callAt, uint256 to) private pure returns (uint256) {
        uint256 width = (callAt + 20).u16();
        return _putNumbers(callAt + 22, width, _putWord(to, width));
    }

    function _putNumbers(uint256 from, uint256 count, uint256 to) private pure returns (uint256) {
        assembly ("memory-safe") {
            for { let end := add(to, shl(5, count)) } lt(to, end) { to := add(to, 0x20) } {
                mstore(to, shr(224, mload(from)))
                from := add(from, 4)
            }
        }
        return to;
    }

    function _putWord(uint256 to, uint256 value) private pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(to, value)
        }
        return to + 0x20;
    }

    function _allocate(uint256 size) private pure returns (uint256 ptr) {
        assembly ("memory-safe") {
            ptr := mload(0x40)
            mstore(0x40, and(add(add(ptr, size), 0x1f), not(0x1f)))
        }
    }
}
