// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

uint8 constant KIND_CONNECTOR = 0;
uint8 constant KIND_TRANSFORMATION = 1;
uint8 constant KIND_CONDITION = 2;

/// One entity to publish. The owner's EIP-712 signature covers every field but `payload`, which the content hash covers.
struct Publication {
    uint8 kind;
    string name;
    address owner;
    /// Hash of the entity, computed again by the registry; see README.md.
    bytes32 contentHash;
    /// The owner's next nonce in this registry.
    uint256 nonce;
    /// Unix seconds; the registry refuses later blocks.
    uint256 deadline;
    /// Transformation, condition: abi.encode(uint32 argsCount, bytes runtime). Connector: abi.encode(ConnectorDefinition).
    bytes payload;
    /// The author's words, at most 8192 bytes. Only their hash is emitted; not interpreted and not stored.
    bytes metadata;
}

struct ConnectorDefinition {
    Dimension[] dimensions;
    /// Empty: no condition.
    string conditionName;
    int32[] conditionArgs;
    /// Strictly ascending by position.
    RunningInstance[] staticRi;
}

struct Dimension {
    /// Applied in rotation, one per step.
    Call[] calls;
    /// Empty: the dimension is a scalar.
    string composite;
    /// Strictly ascending by slot.
    Binding[] bindings;
}

struct Call {
    string name;
    uint32[] args;
}

struct Binding {
    uint32 slot;
    string name;
}

struct RunningInstance {
    uint32 position;
    uint32 startPoint;
    uint32 transformationShift;
}

/// One particle stream: its path, and its values, four bytes each, big-endian.
struct Particles {
    string path;
    bytes data;
}
