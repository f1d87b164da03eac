// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ByteWriter} from "./ByteWriter.sol";
import {EntityTable} from "./EntityTable.sol";
import "./Errors.sol";
import {
    Binding,
    Call,
    ConnectorDefinition,
    Dimension,
    KIND_CONDITION,
    KIND_CONNECTOR,
    KIND_TRANSFORMATION,
    RunningInstance
} from "./Types.sol";

/// Validates a connector against the registered entities and encodes it as packed data, with dependencies resolved to
/// addresses. README.md defines the layout.
abstract contract ConnectorBuilder is EntityTable {
    using ByteWriter for uint256;

    uint256 private constant MAX_LEAVES = 4096;
    uint256 private constant MAX_DEPTH = 256;
    uint256 private constant MAX_COUNT = type(uint16).max;

    struct Connector {
        bytes code;
        bytes32 contentHash;
        uint32 leaves;
        /// Upper bound of the depth of the expanded tree: 1 + the deepest dimension, which is its composite's depth plus
        /// that of its deepest binding target. Targets hang below leaves, hence the sum.
        uint16 depth;
    }

    /// Dependencies are checked in three passes over the dimensions (calls, composites, bindings), but their addresses
    /// are interleaved in the data: the first pass leaves placeholders that later passes fill.
    struct Draft {
        bytes32 nameHash;
        /// Pointer to the slot of the next dependency's content hash.
        uint256 nextHash;
        /// Per dimension: pointer to the placeholder of its composite's address; zero for a scalar.
        uint256[] composites;
        uint256[] leaves;
        uint256[] depths;
    }

    /// @param reserve Bytes left free in front of the data inside `code`, for the caller.
    function _buildConnector(string calldata name, bytes calldata payload, uint256 reserve)
        internal
        view
        returns (Connector memory result)
    {
        ConnectorDefinition memory definition = abi.decode(payload, (ConnectorDefinition));
        if (keccak256(abi.encode(definition)) != keccak256(payload)) revert PayloadNotCanonical();
        Dimension[] memory dimensions = definition.dimensions;
        require(dimensions.length != 0, "dimensions is zero");

        Draft memory draft;
        draft.nameHash = keccak256(bytes(name));
        if (dimensions.length > MAX_LEAVES) revert ConnectorLimitExceeded(draft.nameHash);
        draft.composites = new uint256[](dimensions.length);
        draft.leaves = new uint256[](dimensions.length);
        draft.depths = new uint256[](dimensions.length);
        // A reference takes at least three words of payload.
        bytes32[] memory hashes = new bytes32[](payload.length / 96);
        assembly ("memory-safe") {
            mstore(add(draft, 0x20), add(hashes, 0x20))
        }
        // Every part of the payload is longer than its encoding.
        bytes memory code = new bytes(reserve + payload.length + bytes(name).length + 64);
        uint256 start;
        assembly ("memory-safe") {
            start := add(add(code, 0x20), reserve)
        }
        // Leaves and depth are known last.
        uint256 ptr = start.put16(1).put32(0).put16(dimensions.length).put8(bytes(name).length).putText(name);

        uint256 condition = ptr;
        ptr = _writeCondition(draft, definition, ptr);
        ptr = _writeStaticRi(draft, definition.staticRi, ptr);
        ptr = _writeDimensions(draft, dimensions, ptr);
        _fillComposites(draft, dimensions);
        _fillBindings(draft, dimensions);
        _checkStaticRi(draft, definition.staticRi);
        _fillCondition(draft, definition, condition);
        _sum(draft, result);
        (start + 2).fill16(result.leaves);
        (start + 4).fill16(result.depth);

        uint256 nextHash = draft.nextHash;
        assembly ("memory-safe") {
            mstore(code, sub(sub(ptr, code), 0x20))
            mstore(hashes, shr(5, sub(sub(nextHash, hashes), 0x20)))
        }
        result.code = code;
        result.contentHash = keccak256(abi.encode(KIND_CONNECTOR, name, keccak256(payload), hashes));
    }

    function _writeCondition(Draft memory draft, ConnectorDefinition memory definition, uint256 ptr)
        private
        pure
        returns (uint256)
    {
        if (bytes(definition.conditionName).length == 0) {
            return ptr.put8(0);
        }
        int32[] memory args = definition.conditionArgs;
        ptr = ptr.put8(1).putAddress(address(0)).put16(_count(draft, args.length));
        for (uint256 i; i < args.length; ++i) {
            ptr = ptr.put32(uint32(args[i]));
        }
        return ptr;
    }

    function _writeStaticRi(Draft memory draft, RunningInstance[] memory instances, uint256 ptr)
        private
        pure
        returns (uint256)
    {
        ptr = ptr.put16(_count(draft, instances.length));
        for (uint256 i; i < instances.length; ++i) {
            RunningInstance memory instance = instances[i];
            ptr = ptr.put32(instance.position).put32(instance.startPoint).put32(instance.transformationShift);
        }
        return ptr;
    }

    function _writeDimensions(Draft memory draft, Dimension[] memory dimensions, uint256 ptr)
        private
        view
        returns (uint256)
    {
        for (uint256 d; d < dimensions.length; ++d) {
            Dimension memory dimension = dimensions[d];
            ptr = _writeCalls(draft, dimension.calls, ptr);
            if (bytes(dimension.composite).length == 0) {
                ptr = ptr.put8(0);
                continue;
            }
            draft.composites[d] = ptr + 1;
            Binding[] memory bindings = dimension.bindings;
            ptr = ptr.put8(1).putAddress(address(0)).put16(_count(draft, bindings.length));
            for (uint256 b; b < bindings.length; ++b) {
                ptr = ptr.put16(bindings[b].slot).putAddress(address(0));
            }
        }
        return ptr;
    }

    function _writeCalls(Draft memory draft, Call[] memory calls, uint256 ptr) private view returns (uint256) {
        ptr = ptr.put16(_count(draft, calls.length));
        for (uint256 c; c < calls.length; ++c) {
            uint32[] memory args = calls[c].args;
            bytes32 hash = keccak256(bytes(calls[c].name));
            Entry storage found = _entry(KIND_TRANSFORMATION, hash);
            address entity = found.entity;
            if (entity == address(0)) revert TransformationMissing(hash);
            if (found.size != args.length) revert TransformationArgumentsMismatch(hash);
            _depend(draft, found);
            ptr = ptr.putAddress(entity).put16(_count(draft, args.length));
            for (uint256 i; i < args.length; ++i) {
                ptr = ptr.put32(args[i]);
            }
        }
        return ptr;
    }

    function _fillComposites(Draft memory draft, Dimension[] memory dimensions) private view {
        for (uint256 d; d < dimensions.length; ++d) {
            uint256 hole = draft.composites[d];
            if (hole == 0) {
                draft.leaves[d] = 1;
                continue;
            }
            (draft.leaves[d], draft.depths[d]) = _fillConnector(draft, dimensions[d].composite, hole);
        }
    }

    function _fillBindings(Draft memory draft, Dimension[] memory dimensions) private view {
        for (uint256 d; d < dimensions.length; ++d) {
            Binding[] memory bindings = dimensions[d].bindings;
            if (bindings.length == 0) continue;
            uint256 hole = draft.composites[d];
            if (hole == 0) revert ConnectorDimensionsMismatch(draft.nameHash);
            uint256 slots = draft.leaves[d];
            uint256 leaves = slots;
            uint256 deepest;
            uint256 firstFree;
            hole += 24; // composite address, binding count, slot
            for (uint256 b; b < bindings.length; ++b) {
                uint256 slot = bindings[b].slot;
                if (slot < firstFree || slot >= slots || bytes(bindings[b].name).length == 0) {
                    revert ConnectorDimensionsMismatch(draft.nameHash);
                }
                firstFree = slot + 1;
                (uint256 count, uint256 depth) = _fillConnector(draft, bindings[b].name, hole);
                leaves += count - 1;
                if (depth > deepest) deepest = depth;
                hole += 22;
            }
            draft.leaves[d] = leaves;
            draft.depths[d] += deepest;
        }
    }

    function _fillConnector(Draft memory draft, string memory name, uint256 hole)
        private
        view
        returns (uint256 leaves, uint256 depth)
    {
        bytes32 hash = keccak256(bytes(name));
        Entry storage found = _entry(KIND_CONNECTOR, hash);
        address entity = found.entity;
        if (entity == address(0)) revert ConnectorMissing(hash);
        _depend(draft, found);
        hole.fillAddress(entity);
        return (found.size, found.depth);
    }

    function _checkStaticRi(Draft memory draft, RunningInstance[] memory instances) private pure {
        for (uint256 i = 1; i < instances.length; ++i) {
            if (instances[i].position <= instances[i - 1].position) {
                revert ConnectorDimensionsMismatch(draft.nameHash);
            }
        }
    }

    function _fillCondition(Draft memory draft, ConnectorDefinition memory definition, uint256 ptr) private view {
        if (bytes(definition.conditionName).length == 0) {
            // The data has no place for them, so the definition could not be read back from the chain.
            if (definition.conditionArgs.length != 0) revert ConditionArgumentsMismatch(keccak256(""));
            return;
        }
        bytes32 hash = keccak256(bytes(definition.conditionName));
        Entry storage found = _entry(KIND_CONDITION, hash);
        address entity = found.entity;
        if (entity == address(0)) revert ConditionMissing(hash);
        if (found.size != definition.conditionArgs.length) revert ConditionArgumentsMismatch(hash);
        _depend(draft, found);
        (ptr + 1).fillAddress(entity);
    }

    function _sum(Draft memory draft, Connector memory result) private pure {
        uint256 leaves;
        uint256 deepest;
        for (uint256 d; d < draft.leaves.length; ++d) {
            leaves += draft.leaves[d];
            if (draft.depths[d] > deepest) deepest = draft.depths[d];
        }
        if (leaves > MAX_LEAVES || deepest >= MAX_DEPTH) revert ConnectorLimitExceeded(draft.nameHash);
        result.leaves = uint32(leaves);
        result.depth = uint16(deepest + 1);
    }

    function _depend(Draft memory draft, Entry storage found) private view {
        bytes32 hash = found.contentHash;
        uint256 ptr = draft.nextHash;
        assembly ("memory-safe") {
            mstore(ptr, hash)
        }
        draft.nextHash = ptr + 32;
    }

    function _count(Draft memory draft, uint256 length) private pure returns (uint256) {
        if (length > MAX_COUNT) revert ConnectorLimitExceeded(draft.nameHash);
        return length;
    }
}
