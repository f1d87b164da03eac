// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// Names are given as keccak256 of their bytes.

error TransformationMissing(bytes32 name);
error TransformationAlreadyRegistered(bytes32 name);
error TransformationArgumentsMismatch(bytes32 name);
error ConditionMissing(bytes32 name);
error ConditionAlreadyRegistered(bytes32 name);
error ConditionArgumentsMismatch(bytes32 name);
error ConnectorMissing(bytes32 name);
error ConnectorAlreadyRegistered(bytes32 name);
/// Bindings or static running instances do not fit the dimensions of the connector.
error ConnectorDimensionsMismatch(bytes32 name);
/// More than 4096 scalars, nested more than 256 deep, or a count that does not fit connector data.
error ConnectorLimitExceeded(bytes32 name);

error InvalidKind(uint8 kind);
/// Not `[A-Za-z_][A-Za-z0-9_]{0,127}`.
error InvalidName(string name);
/// Empty code, code that begins with 0xEF, or code longer than 24,576 bytes (EIP-170).
error InvalidCode(uint256 size);
/// The code may reach SELFDESTRUCT, DELEGATECALL, CALLCODE, CREATE or CREATE2 at `offset`.
error ForbiddenOpcode(uint8 opcode, uint256 offset);
/// The payload is not the canonical ABI encoding of its kind.
error PayloadNotCanonical();
/// The entity hashes to `actual`: another payload, or a dependency registered with another artifact.
error ContentHashMismatch(bytes32 expected, bytes32 actual);
/// The metadata is longer than 8192 bytes.
error MetadataTooLong(uint256 length);
error PublicationExpired(uint256 deadline);
/// A batch without publications.
error EmptyBatch();
/// The publication at `index` of a batch has another owner than the first one.
error BatchOwnerMismatch(uint256 index);
/// Not sent by the owner and not signed by the owner.
error InvalidSignature(address owner);

error ConditionNotMet(bytes32 connectorName);
error RunningInstanceDuplicate(uint32 position);
error RunningInstanceNotSorted(uint32 previousPosition, uint32 position);
error RunningInstanceStaticOverride(uint32 position);
/// The code at `entity` is not what the connector takes it for.
error InvalidEntity(address entity);
