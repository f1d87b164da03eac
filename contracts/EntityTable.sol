// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Registered entities in three namespaces. An entry is written once.
abstract contract EntityTable {
    struct Entry {
        address entity;
        /// Arguments of a transformation or condition, leaves of a connector.
        uint32 size;
        /// Of connectors: see `ConnectorBuilder`.
        uint16 depth;
        address owner;
        bytes32 contentHash;
    }

    mapping(uint8 kind => mapping(bytes32 nameHash => Entry)) private _entries;

    function _entry(uint8 kind, bytes32 nameHash) internal view returns (Entry storage) {
        return _entries[kind][nameHash];
    }
}
