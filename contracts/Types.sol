// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

uint8 constant KIND_CONNECTOR = 0;
uint8 constant KIND_TRANSFORMATION = 1;
uint8 constant KIND_CONDITION = 2;

/// One entity to publish. What an owner signs (EIP-712) is all of it but the payload, which the content hash covers.
struct Publication {
    uint8 kind;
    string name;
    address owner;
    /// What the registry must come to when it hashes the entity; see `Registry.publish`.
    bytes32 contentHash;
    /// Hash of the public description; carried to the event, not interpreted.
    bytes32 metadataHash;
    /// The owner's next nonce in this registry.
    uint256 nonce;
    /// Unix seconds after which the registry refuses.
    uint256 deadline;
    /// Transformation, condition: abi.encode(uint32 argsCount, bytes runtime). Connector: abi.encode(ConnectorDefinition).
    bytes payload;
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
    /// Taken in turns, one a step.
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

/// One particle stream: where it comes from and its values, four bytes each, big-endian.
struct Particles {
    string path;
    bytes data;
}
