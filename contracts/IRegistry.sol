// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Publication} from "./Types.sol";

interface IRegistry {
    /// Emitted once for each publication: the entity exists from here on, under this name, permanently.
    /// @param metadataHash keccak256 of the publication's `metadata`.
    event Published(
        uint8 indexed kind,
        address indexed owner,
        bytes32 indexed nameHash,
        string name,
        address entity,
        bytes32 contentHash,
        bytes32 metadataHash,
        uint256 nonce
    );

    /// Publishes an entity.
    /// @param signature Empty when the sender is the owner; otherwise the owner's EIP-712 signature of the publication, or
    /// what the owner's contract accepts for it (EIP-1271), from any sender.
    function publish(Publication calldata publication, bytes calldata signature) external returns (address entity);

    /// Publishes several entities of one owner in the given order, all or none. A connector may name entities before it.
    /// @param signature As in `publish`, but of the whole batch.
    function publishBatch(Publication[] calldata publications, bytes calldata signature)
        external
        returns (address[] memory entities);

    /// Returns what is registered under a name; zeros for a free name. `argsCount` is zero for connectors.
    function entry(uint8 kind, string calldata name)
        external
        view
        returns (address entity, address owner, uint32 argsCount, bytes32 contentHash);

    /// Returns the address of `entry` alone; zero for a free name.
    function entityOf(uint8 kind, string calldata name) external view returns (address entity);

    /// Returns the nonce that the owner's next publication must carry.
    function nonces(address owner) external view returns (uint256);
}
