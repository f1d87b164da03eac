// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A registry without rules, for tests of readers: announces whatever it is given, and answers `entry` with it.
contract OpenRegistry {
    struct Entry {
        address entity;
        address owner;
        uint32 argsCount;
        bytes32 contentHash;
    }

    struct Announcement {
        uint8 kind;
        string name;
        address owner;
        /// Deployed as it is and announced as the entity; empty: nothing is deployed.
        bytes runtime;
        /// Whether the code is called in the transaction that creates it: code that destroys itself is gone then.
        bool called;
        uint32 argsCount;
        bytes32 contentHash;
        bytes32 metadataHash;
        uint256 nonce;
    }

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

    mapping(uint8 kind => mapping(bytes32 nameHash => Entry)) private _entries;

    function announce(Announcement[] calldata announcements) external {
        for (uint256 i; i < announcements.length; ++i) {
            Announcement calldata a = announcements[i];
            bytes32 nameHash = keccak256(bytes(a.name));
            address entity = _deploy(a.kind, nameHash, a.runtime);
            if (a.called) {
                (bool done,) = entity.call("");
                require(done, "call failed");
            }
            _entries[a.kind][nameHash] = Entry(entity, a.owner, a.argsCount, a.contentHash);
            emit Published(a.kind, a.owner, nameHash, a.name, entity, a.contentHash, a.metadataHash, a.nonce);
        }
    }

    function entry(uint8 kind, string calldata name)
        external
        view
        returns (address entity, address owner, uint32 argsCount, bytes32 contentHash)
    {
        Entry storage found = _entries[kind][keccak256(bytes(name))];
        return (found.entity, found.owner, found.argsCount, found.contentHash);
    }

    function _deploy(uint8 kind, bytes32 nameHash, bytes calldata runtime) private returns (address entity) {
        if (runtime.length == 0) return address(uint160(uint256(keccak256(abi.encode(kind, nameHash)))));
        bytes memory code = bytes.concat(hex"600b380380600b5f395ff3", runtime);
        bytes32 salt = keccak256(abi.encode(kind, nameHash));
        assembly ("memory-safe") {
            entity := create2(0, add(code, 0x20), mload(code), salt)
        }
        require(entity != address(0), "creation failed");
    }
}
