// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ByteReader} from "./ByteReader.sol";
import {InvalidEntity} from "./Errors.sol";

/// A connector while it is walked: its data, copied to memory, and how far the walk has come in it.
struct Frame {
    /// Free memory before this connector was loaded: where it is set back to when its walk ends.
    uint256 release;
    address connector;
    uint256 leaves;
    uint256 nameAt;
    uint256 nameLength;
    /// Where the condition stands in the data.
    uint256 conditionAt;
    /// Own static running instances not yet passed, twelve bytes each, ascending.
    uint256 instancesAt;
    uint256 instancesEnd;
    /// The next dimension, its number, and how many there are.
    uint256 cursor;
    uint256 dimension;
    uint256 dimensions;
    uint256 end;
    /// What fills the leaves from here on, one word each: connector, and above its 160 bits the same for inside it.
    /// Zero where nothing is bound.
    uint256 slots;
    /// Length of the path of this connector's dimensions, without their number: `/Host:0/Name:`.
    uint256 pathLength;
    /// The indices this connector is asked for.
    uint256 indexMode;
    uint256 indexFirst;
    uint256 indexMax;
}

/// One dimension as it stands in connector data.
struct DimensionView {
    uint256 calls;
    uint256 callsAt;
    /// Zero for a scalar.
    address composite;
    uint256 bindings;
    uint256 bindingsAt;
}

/// Reads connector data. The registry only ever writes sound data; of other code this promises no more than an end:
/// reads may run into foreign memory, but nothing is written outside what was allocated.
library ConnectorReader {
    using ByteReader for uint256;

    uint256 private constant PREFIX = 0x0001;
    /// Up to and with the length of the name.
    uint256 private constant HEADER_SIZE = 9;
    uint256 private constant INSTANCE_SIZE = 12;
    uint256 private constant BINDING_SIZE = 22;

    /// How deep the expanded connector nests, from its data.
    function depthOf(address connector) internal view returns (uint256 depth) {
        if (_half(connector, 0) != PREFIX) revert InvalidEntity(connector);
        return _half(connector, 4);
    }

    /// Copies a connector's data to free memory and stands before its first dimension.
    function load(Frame memory frame, address connector) internal view {
        uint256 ptr;
        uint256 size;
        assembly ("memory-safe") {
            size := extcodesize(connector)
            ptr := mload(0x40)
            extcodecopy(connector, ptr, 0, size)
            // Numbers are read a word at a time, so some bytes behind the end must exist.
            mstore(add(ptr, size), 0)
            mstore(0x40, and(add(add(ptr, size), 0x3f), not(0x1f)))
        }
        if (size < HEADER_SIZE || ptr.u16() != PREFIX) revert InvalidEntity(connector);
        frame.release = ptr;
        frame.connector = connector;
        frame.end = ptr + size;
        frame.leaves = (ptr + 2).u16();
        frame.dimensions = (ptr + 6).u16();
        frame.nameLength = (ptr + 8).u8();
        frame.nameAt = ptr + HEADER_SIZE;
        ptr = frame.nameAt + frame.nameLength;
        frame.conditionAt = ptr;
        ptr += ptr.u8() == 0 ? 1 : 23 + 4 * (ptr + 21).u16();
        frame.instancesAt = ptr + 2;
        frame.instancesEnd = frame.instancesAt + INSTANCE_SIZE * ptr.u16();
        if (frame.instancesEnd > frame.end) revert InvalidEntity(connector);
        frame.slots = 0;
        rewind(frame);
    }

    /// Stands before the first dimension again.
    function rewind(Frame memory frame) internal pure {
        frame.cursor = frame.instancesEnd;
        frame.dimension = 0;
    }

    /// Gives back what was allocated since the connector was loaded.
    function free(Frame memory frame) internal pure {
        uint256 release = frame.release;
        assembly ("memory-safe") {
            mstore(0x40, release)
        }
    }

    /// Reads the dimension the frame stands before and moves behind it.
    function next(Frame memory frame, DimensionView memory dimension) internal pure {
        uint256 ptr = frame.cursor;
        uint256 calls = ptr.u16();
        ptr += 2;
        dimension.calls = calls;
        dimension.callsAt = ptr;
        for (uint256 c; c < calls; ++c) {
            ptr += 22 + 4 * (ptr + 20).u16();
        }
        if (ptr.u8() == 0) {
            dimension.composite = address(0);
            dimension.bindings = 0;
            ptr += 1;
        } else {
            dimension.composite = (ptr + 1).addr();
            dimension.bindings = (ptr + 21).u16();
            dimension.bindingsAt = ptr + 23;
            ptr += 23 + BINDING_SIZE * dimension.bindings;
        }
        if (ptr > frame.end) revert InvalidEntity(frame.connector);
        frame.cursor = ptr;
        ++frame.dimension;
    }

    /// Whether the dimension just read leads to another connector, or is one of the leaves.
    function leadsOn(Frame memory frame, DimensionView memory dimension) internal pure returns (bool) {
        return dimension.composite != address(0) || _filled(frame) != 0;
    }

    /// Loads what the dimension just read leads to, with what fills its leaves.
    function descend(Frame memory frame, DimensionView memory dimension, Frame memory child) internal view {
        if (dimension.composite != address(0)) {
            load(child, dimension.composite);
            child.slots = _fill(frame, dimension, child.leaves);
        } else {
            uint256 filled = _filled(frame);
            pass(frame);
            load(child, address(uint160(filled)));
            child.slots = filled >> 160;
        }
    }

    /// Moves on to what fills the next leaf.
    function pass(Frame memory frame) internal pure {
        if (frame.slots != 0) frame.slots += 32;
    }

    function _filled(Frame memory frame) private pure returns (uint256 filled) {
        uint256 slots = frame.slots;
        assembly ("memory-safe") {
            if slots { filled := mload(slots) }
        }
    }

    /// Takes what fills the leaves of a composite out of what fills those of its host: the host's own bindings
    /// replace leaves, and the leaves of what they put there are the host's in turn.
    function _fill(Frame memory frame, DimensionView memory dimension, uint256 leaves)
        private
        view
        returns (uint256 slots)
    {
        uint256 open = frame.slots;
        if (dimension.bindings == 0) {
            if (open != 0) frame.slots = open + 32 * leaves;
            return open;
        }
        assembly ("memory-safe") {
            slots := mload(0x40)
            mstore(0x40, add(slots, shl(5, leaves)))
        }
        uint256 ptr = dimension.bindingsAt;
        uint256 end = ptr + BINDING_SIZE * dimension.bindings;
        for (uint256 slot; slot < leaves; ++slot) {
            uint256 filled;
            uint256 passed = 1;
            if (ptr < end && ptr.u16() == slot) {
                address target = (ptr + 2).addr();
                filled = uint160(target) | (open << 160);
                if (open != 0) passed = leavesOf(target);
                ptr += BINDING_SIZE;
            } else if (open != 0) {
                assembly ("memory-safe") {
                    filled := mload(open)
                }
            }
            if (open != 0) open += 32 * passed;
            assembly ("memory-safe") {
                mstore(add(slots, shl(5, slot)), filled)
            }
        }
        frame.slots = open;
    }

    /// Leaf count of a connector, read from its data alone.
    function leavesOf(address connector) internal view returns (uint256) {
        return _half(connector, 2);
    }

    function _half(address connector, uint256 offset) private view returns (uint256 value) {
        assembly ("memory-safe") {
            mstore(0, 0)
            extcodecopy(connector, 0x1e, offset, 2)
            value := mload(0)
        }
    }
}
