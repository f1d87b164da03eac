// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DimensionView, Frame} from "./Connector.sol";
import {Indices} from "./Indices.sol";
import {Sequence, Sequences} from "./Sequence.sol";

/// Computes the values of one dimension at the indices requested from its connector.
library Evaluator {
    using Sequences for Sequence;

    uint256 private constant PANIC_OVERFLOW = 0x11;
    uint256 private constant LARGEST = type(uint32).max;

    /// Writes s(i) for every index i to `target`, four bytes each, and a word of zeros behind them. Uses free
    /// memory and restores its pointer.
    function evaluate(
        Frame memory frame,
        DimensionView memory dimension,
        uint256 count,
        uint256 startPoint,
        uint256 shift,
        uint256 target
    ) internal view {
        uint256 end = target + 4 * count;
        if (dimension.calls == 0) {
            _repeat(startPoint, target, end);
            return;
        }
        uint256 release;
        assembly ("memory-safe") {
            release := mload(0x40)
        }
        Sequence memory sequence =
            Sequences.prepare(dimension.callsAt, dimension.calls, startPoint, shift);
        uint256 max = frame.indexMax;
        // The number of a call is checked arithmetic: the steps before the one that overflows do run.
        if (dimension.calls > 1 && shift + max > LARGEST) {
            sequence.skip(LARGEST - shift);
            _panic();
        }
        if (frame.indexMode == Indices.CONTIGUOUS) {
            _contiguous(sequence, frame.indexFirst, count, target);
        } else if (frame.indexMode == Indices.ASCENDING) {
            _ascending(sequence, frame.indexFirst, max, count, target);
        } else {
            _anyOrder(sequence, frame.indexFirst, max, count, target);
        }
        assembly ("memory-safe") {
            mstore(end, 0)
            mstore(0x40, release)
        }
    }

    function _contiguous(Sequence memory sequence, uint256 first, uint256 count, uint256 target) private view {
        if (first == 0) {
            _put(target, sequence.value);
            sequence.advance(count - 1, target + 4);
        } else {
            sequence.skip(first - 1);
            sequence.advance(count, target);
        }
    }

    /// Computes the sequence in chunks in one buffer and copies the requested values from each.
    function _ascending(Sequence memory sequence, uint256 list, uint256 max, uint256 count, uint256 target)
        private
        view
    {
        uint256 piece = max < Sequences.PIECE ? max : Sequences.PIECE;
        uint256 end = list + 4 * count;
        uint256 buffer;
        assembly ("memory-safe") {
            buffer := mload(0x40)
            mstore(0x40, add(buffer, and(add(shl(2, piece), 0x5f), not(0x1f))))
        }
        // Index 0 is the first value of the first chunk only.
        _put(buffer, sequence.value);
        (list, target) = Indices.pick(list, end, target, buffer, 0);
        for (uint256 made; list < end;) {
            uint256 steps = max - made < piece ? max - made : piece;
            sequence.advance(steps, buffer);
            uint256 base;
            unchecked {
                base = buffer - 4 * (made + 1);
            }
            made += steps;
            (list, target) = Indices.pick(list, end, target, base, made);
        }
    }

    /// Computes and keeps every value up to the largest index.
    function _anyOrder(Sequence memory sequence, uint256 list, uint256 max, uint256 count, uint256 target)
        private
        view
    {
        uint256 table;
        assembly ("memory-safe") {
            table := mload(0x40)
            mstore(0x40, add(table, and(add(shl(2, max), 0x5f), not(0x1f))))
        }
        _put(table, sequence.value);
        sequence.advance(max, table + 4);
        Indices.pick(list, list + 4 * count, target, table, max);
    }

    function _repeat(uint256 value, uint256 target, uint256 end) private pure {
        assembly ("memory-safe") {
            let word := mul(value, 0x0000000100000001000000010000000100000001000000010000000100000001)
            for {} lt(target, end) { target := add(target, 0x20) } { mstore(target, word) }
            mstore(end, 0)
        }
    }

    function _put(uint256 target, uint256 value) private pure {
        assembly ("memory-safe") {
            mstore(target, shl(224, value))
        }
    }

    function _panic() private pure {
        assembly ("memory-safe") {
            mstore(0, shl(224, 0x4e487b71))
            mstore(4, PANIC_OVERFLOW)
            revert(0, 0x24)
        }
    }
}
