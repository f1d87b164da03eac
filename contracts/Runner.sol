// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ByteReader} from "./ByteReader.sol";
import {ConnectorReader, DimensionView, Frame} from "./Connector.sol";
import {
    ConditionNotMet,
    InvalidEntity,
    RunningInstanceDuplicate,
    RunningInstanceNotSorted,
    RunningInstanceStaticOverride
} from "./Errors.sol";
import {Evaluator} from "./Evaluator.sol";
import {ICondition} from "./IEntities.sol";
import {Indices} from "./Indices.sol";
import {IRegistry} from "./IRegistry.sol";
import {KIND_CONNECTOR, Particles, RunningInstance} from "./Types.sol";

/// Runs connectors, as README.md defines a run. No function writes state.
contract Runner {
    using ByteReader for uint256;
    using ConnectorReader for Frame;

    IRegistry public immutable registry;

    /// Work of one run. Memory: frames, the root's data, path, output, and above it what nests.
    struct Walk {
        /// One frame per level.
        Frame[] stack;
        DimensionView dimension;
        uint256 count;
        /// Remaining dynamic running instances, in calldata.
        uint256 dynamicAt;
        uint256 dynamicEnd;
        /// Position of the current dimension, from 1.
        uint256 position;
        /// The path so far, without length.
        uint256 path;
        /// Pointers: offset word of the next output item, base of the offsets, next output item.
        uint256 heads;
        uint256 base;
        uint256 output;
    }

    constructor(IRegistry registry_) {
        registry = registry_;
    }

    /// Returns the values of every leaf of the connector registered as `name`, in leaf order.
    ///
    /// @param particlesCount values per leaf, at least 1
    /// @param dynamicRi the caller's running instances, strictly ascending by position
    function generate(string calldata name, uint32 particlesCount, RunningInstance[] calldata dynamicRi)
        external
        view
        returns (Particles[] memory)
    {
        _checkCount(particlesCount);
        address connector = registry.entityOf(KIND_CONNECTOR, name);
        require(connector != address(0), "cannot find connector");
        _run(connector, particlesCount, dynamicRi);
    }

    /// As `generate`, for connector data at any address, registered or not.
    function generateAt(address connector, uint32 particlesCount, RunningInstance[] calldata dynamicRi)
        external
        view
        returns (Particles[] memory)
    {
        _checkCount(particlesCount);
        _run(connector, particlesCount, dynamicRi);
    }

    function _checkCount(uint32 particlesCount) private pure {
        require(particlesCount > 0, "number of particles must be greater than 0");
    }

    function _run(address connector, uint256 count, RunningInstance[] calldata dynamicRi) private view {
        _checkOrder(dynamicRi);
        Walk memory walk;
        walk.count = count;
        walk.stack = new Frame[](ConnectorReader.depthOf(connector));
        Frame memory root = walk.stack[0];
        root.load(connector);
        assembly ("memory-safe") {
            mstore(add(walk, 0x60), dynamicRi.offset)
            mstore(add(walk, 0x80), add(dynamicRi.offset, mul(dynamicRi.length, 0x60)))
        }
        (, uint256 start,) = _resolve(walk, root, false);
        root.indexMode = Indices.CONTIGUOUS;
        root.indexFirst = start;
        root.indexMax = _largestIndex(start, count);

        (uint256 leaves, uint256 size, uint256 longest) = _measure(walk);
        root.rewind();
        uint256 output = _allocateOutput(walk, leaves, size, longest);
        _generate(walk);
        uint256 end = walk.output;
        assembly ("memory-safe") {
            return(output, sub(end, output))
        }
    }

    function _checkOrder(RunningInstance[] calldata instances) private pure {
        uint32 previous;
        for (uint256 i; i < instances.length; ++i) {
            RunningInstance memory instance = instances[i];
            uint32 position = instance.position;
            if (i != 0) {
                if (position == previous) revert RunningInstanceDuplicate(position);
                if (position < previous) revert RunningInstanceNotSorted(previous, position);
            }
            previous = position;
        }
    }

    function _largestIndex(uint256 start, uint256 count) private pure returns (uint256) {
        return uint32(start) + uint32(count - 1);
    }

    /// Computes item count, output size and longest path from names alone.
    function _measure(Walk memory walk) private view returns (uint256 leaves, uint256 size, uint256 longest) {
        Frame[] memory stack = walk.stack;
        DimensionView memory dimension = walk.dimension;
        uint256 dataSize = _padded(4 * walk.count);
        uint256 level;
        Frame memory frame = stack[0];
        frame.pathLength = 2 + frame.nameLength;
        while (true) {
            if (frame.dimension == frame.dimensions) {
                if (level == 0) break;
                frame.free();
                frame = stack[--level];
                continue;
            }
            uint256 path = frame.pathLength + _digits(frame.dimension);
            frame.next(dimension);
            if (frame.leadsOn(dimension)) {
                Frame memory child = stack[++level];
                frame.descend(dimension, child);
                child.pathLength = path + 2 + child.nameLength;
                frame = child;
            } else {
                frame.pass();
                ++leaves;
                // Offset, then the item: two offsets, and length and text of path and data.
                size += 0xa0 + _padded(path) + dataSize;
                if (path > longest) longest = path;
            }
        }
    }

    /// Allocates memory for path and output and writes the head of the output.
    function _allocateOutput(Walk memory walk, uint256 leaves, uint256 size, uint256 longest)
        private
        pure
        returns (uint256 output)
    {
        uint256 path;
        assembly ("memory-safe") {
            path := mload(0x40)
            output := add(path, and(add(longest, 0x1f), not(0x1f)))
            mstore(output, 0x20)
            mstore(add(output, 0x20), leaves)
            // A spare word: zeros are written behind the last values.
            mstore(0x40, add(add(output, size), 0x60))
        }
        walk.path = path;
        walk.base = output + 0x40;
        walk.heads = walk.base;
        walk.output = walk.base + 32 * leaves;
    }

    function _generate(Walk memory walk) private view {
        Frame[] memory stack = walk.stack;
        DimensionView memory dimension = walk.dimension;
        uint256 level;
        Frame memory frame = stack[0];
        _enter(walk, frame, 0);
        while (true) {
            if (frame.dimension == frame.dimensions) {
                if (level == 0) break;
                frame.free();
                frame = stack[--level];
                continue;
            }
            ++walk.position;
            uint256 number = frame.dimension;
            frame.next(dimension);
            if (frame.leadsOn(dimension)) {
                Frame memory child = stack[++level];
                frame.descend(dimension, child);
                _evaluateFor(walk, frame, child);
                uint256 path = frame.pathLength;
                _enter(walk, child, path + _putDigits(walk.path + path, number));
                frame = child;
            } else {
                frame.pass();
                _emit(walk, frame, number);
            }
        }
    }

    /// Enters a connector: checks its condition and appends its name to the path.
    function _enter(Walk memory walk, Frame memory frame, uint256 pathLength) private view {
        _checkCondition(frame);
        uint256 to = walk.path + pathLength;
        uint256 from = frame.nameAt;
        uint256 length = frame.nameLength;
        assembly ("memory-safe") {
            mstore8(to, 0x2f) // "/"
            mcopy(add(to, 1), from, length)
            mstore8(add(add(to, 1), length), 0x3a) // ":"
        }
        frame.pathLength = pathLength + length + 2;
    }

    /// Passes the values of a dimension as indices to its child connector.
    function _evaluateFor(Walk memory walk, Frame memory frame, Frame memory child) private view {
        uint256 count = walk.count;
        (bool given, uint256 start, uint256 shift) = _resolve(walk, frame, true);
        if (!given) (, start, shift) = _instanceAt(child, 0);
        uint256 list;
        assembly ("memory-safe") {
            list := mload(0x40)
            mstore(0x40, add(list, and(add(shl(2, count), 0x3f), not(0x1f))))
        }
        Evaluator.evaluate(frame, walk.dimension, count, start, shift, list);
        (uint256 mode, uint256 first, uint256 max) = Indices.classify(list, count);
        child.indexMode = mode;
        child.indexMax = max;
        if (mode == Indices.CONTIGUOUS) {
            child.indexFirst = first;
            assembly ("memory-safe") {
                mstore(0x40, list)
            }
        } else {
            child.indexFirst = list;
        }
    }

    /// Writes the values of a scalar dimension as an output item.
    function _emit(Walk memory walk, Frame memory frame, uint256 number) private view {
        uint256 count = walk.count;
        (, uint256 start, uint256 shift) = _resolve(walk, frame, true);
        uint256 item = walk.output;
        uint256 length = frame.pathLength;
        {
            uint256 head = walk.heads;
            uint256 base = walk.base;
            uint256 path = walk.path;
            assembly ("memory-safe") {
                mstore(head, sub(item, base))
                mcopy(add(item, 0x60), path, length)
            }
            walk.heads = head + 0x20;
        }
        uint256 end = item + 0x60 + length;
        uint256 digits = _putDigits(end, number);
        length += digits;
        end += digits;
        uint256 data = item + 0x60 + _padded(length);
        assembly ("memory-safe") {
            mstore(end, 0)
            mstore(item, 0x40)
            mstore(add(item, 0x20), sub(data, item))
            mstore(add(item, 0x40), length)
            mstore(data, shl(2, count))
        }
        walk.output = data + 0x20 + _padded(4 * count);
        Evaluator.evaluate(frame, walk.dimension, count, start, shift, data + 0x20);
    }

    /// The running instance of the position the walk is at. Dynamic goes before static, and clashes with what the
    /// connector that holds the dimension, or the connector executed, sets for it.
    ///
    /// @param nested False for position 0, which belongs to no dimension.
    function _resolve(Walk memory walk, Frame memory frame, bool nested)
        private
        pure
        returns (bool given, uint256 start, uint256 shift)
    {
        uint256 position = walk.position;
        Frame memory root = walk.stack[0];
        (given, start, shift) = _instanceAt(root, position);
        // A connector that is not executed itself knows its own dimensions only, by their number; and what it
        // says goes before what the executed one says of the position.
        if (nested && frame.connector != root.connector) {
            (bool own, uint256 ownStart, uint256 ownShift) = _instanceAt(frame, frame.dimension);
            if (own) (given, start, shift) = (true, ownStart, ownShift);
        }
        (bool dynamic, uint256 dynamicStart, uint256 dynamicShift) = _dynamicAt(walk, position);
        if (dynamic) {
            if (given) revert RunningInstanceStaticOverride(uint32(position));
            return (true, dynamicStart, dynamicShift);
        }
    }

    /// Returns the static running instance of a connector at a key; keys must ascend from call to call.
    function _instanceAt(Frame memory frame, uint256 key)
        private
        pure
        returns (bool found, uint256 start, uint256 shift)
    {
        uint256 ptr = frame.instancesAt;
        uint256 end = frame.instancesEnd;
        while (ptr < end && ptr.u32() < key) ptr += 12;
        frame.instancesAt = ptr;
        if (ptr < end && ptr.u32() == key) return (true, (ptr + 4).u32(), (ptr + 8).u32());
    }

    function _dynamicAt(Walk memory walk, uint256 position)
        private
        pure
        returns (bool found, uint256 start, uint256 shift)
    {
        uint256 ptr = walk.dynamicAt;
        uint256 end = walk.dynamicEnd;
        assembly ("memory-safe") {
            for {} lt(ptr, end) { ptr := add(ptr, 0x60) } {
                let key := calldataload(ptr)
                if lt(key, position) { continue }
                if eq(key, position) {
                    found := 1
                    start := calldataload(add(ptr, 0x20))
                    shift := calldataload(add(ptr, 0x40))
                }
                break
            }
        }
        walk.dynamicAt = ptr;
    }

    function _checkCondition(Frame memory frame) private view {
        uint256 ptr = frame.conditionAt;
        if (ptr.u8() == 0) return;
        address condition = (ptr + 1).addr();
        uint256 count = (ptr + 21).u16();
        uint256 selector = uint32(ICondition.check.selector);
        uint256 answer;
        assembly ("memory-safe") {
            // Uses free memory without allocating it.
            let to := mload(0x40)
            let size := add(0x44, shl(5, count))
            mstore(to, shl(224, selector))
            mstore(add(to, 0x04), 0x20)
            mstore(add(to, 0x24), count)
            let from := add(ptr, 23)
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                mstore(add(add(to, 0x44), shl(5, i)), signextend(3, shr(224, mload(add(from, shl(2, i))))))
            }
            if iszero(staticcall(gas(), condition, to, size, 0, 0x20)) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
            answer := mload(0)
            if lt(returndatasize(), 0x20) { answer := 2 }
        }
        if (answer > 1) revert InvalidEntity(condition);
        if (answer == 0) {
            bytes32 name;
            uint256 nameAt = frame.nameAt;
            uint256 length = frame.nameLength;
            assembly ("memory-safe") {
                name := keccak256(nameAt, length)
            }
            revert ConditionNotMet(name);
        }
    }

    function _digits(uint256 value) private pure returns (uint256 digits) {
        digits = 1;
        while (value > 9) {
            value /= 10;
            ++digits;
        }
    }

    /// Writes a value in decimal.
    function _putDigits(uint256 ptr, uint256 value) private pure returns (uint256 digits) {
        digits = _digits(value);
        for (uint256 i = digits; i != 0; --i) {
            assembly ("memory-safe") {
                mstore8(add(ptr, sub(i, 1)), add(0x30, mod(value, 10)))
            }
            value /= 10;
        }
    }

    function _padded(uint256 length) private pure returns (uint256) {
        return (length + 31) & ~uint256(31);
    }
}
