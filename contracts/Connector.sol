// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ByteReader} from "./ByteReader.sol";
import {InvalidEntity} from "./Errors.sol";

/// Traversal state of one connector: its data in memory and the read position.
struct Frame {
    /// Free memory pointer before this connector was loaded, restored when its traversal ends.
    uint256 release;
    address connector;
    uint256 leaves;
    uint256 nameAt;
    uint256 nameLength;
    /// Position of the condition in the data.
    uint256 conditionAt;
    /// Remaining static running instances of this connector, twelve bytes each, ascending.
    uint256 instancesAt;
    uint256 instancesEnd;
    /// Position of the next dimension, its number, and the dimension count.
    uint256 cursor;
    uint256 dimension;
    uint256 dimensions;
    uint256 end;
    /// Pointer to the bindings of the remaining leaves, one word each: the target in the low 160 bits, above them the
    /// pointer for the leaves of the target. Zero without bindings.
    uint256 slots;
    /// Length of the path of this connector's dimensions, without their number: `/Host:0/Name:`.
    uint256 pathLength;
    /// Indices requested from this connector.
    uint256 indexMode;
    uint256 indexFirst;
    uint256 indexMax;
}

/// One dimension of connector data.
struct DimensionView {
    uint256 calls;
    uint256 callsAt;
    /// Zero for a scalar.
    address composite;
    uint256 bindings;
    uint256 bindingsAt;
}

/// Reads connector data. What the registry writes is always valid. With other code, reads terminate and may leave the
/// data, but nothing is written outside allocated memory.
library ConnectorReader {
    using ByteReader for uint256;

    uint256 private constant PREFIX = 0x0001;
    /// Up to and including the length of the name.
    uint256 private constant HEADER_SIZE = 9;
    uint256 private constant INSTANCE_SIZE = 12;
    uint256 private constant BINDING_SIZE = 22;

    /// Returns the depth of the expanded connector.
    function depthOf(address connector) internal view returns (uint256 depth) {
        if (_half(connector, 0) != PREFIX) revert InvalidEntity(connector);
        return _half(connector, 4);
    }

    /// Copies a connector's data to free memory and sets the read position to its first dimension.
    function load(Frame memory frame, address connector) internal view {
        uint256 ptr;
        uint256 size;
        assembly ("memory-safe") {
            size := extcodesize(connector)
            ptr := mload(0x40)
            extcodecopy(connector, ptr, 0, size)
            // Numbers are read as whole words, which may extend past the end.
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

    /// Resets the read position to the first dimension.
    function rewind(Frame memory frame) internal pure {
        frame.cursor = frame.instancesEnd;
        frame.dimension = 0;
    }

    /// Frees the memory allocated since the connector was loaded.
    function free(Frame memory frame) internal pure {
        uint256 release = frame.release;
        assembly ("memory-safe") {
            mstore(0x40, release)
        }
    }

    /// Reads the next dimension and advances.
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

    /// Returns whether the last read dimension has a child connector, by a composite or a binding.
    function leadsOn(Frame memory frame, DimensionView memory dimension) internal pure returns (bool) {
        return dimension.composite != address(0) || _filled(frame) != 0;
    }

    /// Loads the child connector of the last read dimension with the bindings of its leaves.
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

    /// Advances to the binding of the next leaf.
    function pass(Frame memory frame) internal pure {
        if (frame.slots != 0) frame.slots += 32;
    }

    function _filled(Frame memory frame) private pure returns (uint256 filled) {
        uint256 slots = frame.slots;
        assembly ("memory-safe") {
            if slots { filled := mload(slots) }
        }
    }

    /// Collects the bindings of a composite's leaves from those of its host: the host's own bindings replace leaves,
    /// and the leaves of their targets are the host's in turn.
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

    /// Returns the leaf count of a connector.
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
