// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Publication} from "./Types.sol";

interface IRegistry {
    /// The one event: an entity exists from here on, under this name, for good.
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

    /// Publishes an entity. With an empty signature the sender must be the owner; else anyone may send the owner's
    /// EIP-712 signature (or what the owner's contract accepts, EIP-1271).
    function publish(Publication calldata publication, bytes calldata signature) external returns (address entity);

    /// What is registered under a name; zeros when nothing is. `argsCount` is zero for connectors.
    function entry(uint8 kind, string calldata name)
        external
        view
        returns (address entity, address owner, uint32 argsCount, bytes32 contentHash);

    /// Only the address of `entry`; zero when nothing is registered.
    function entityOf(uint8 kind, string calldata name) external view returns (address entity);

    /// The nonce that the owner's next publication must carry.
    function nonces(address owner) external view returns (uint256);
}
