// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {CodeScan} from "./CodeScan.sol";
import {ConnectorBuilder} from "./ConnectorBuilder.sol";
import "./Errors.sol";
import {IRegistry} from "./IRegistry.sol";
import {KIND_CONDITION, KIND_CONNECTOR, KIND_TRANSFORMATION, Publication} from "./Types.sol";

/// Names of connectors, transformations and conditions. Any account may publish under a free name; no account, the
/// deployer included, can rename, replace or remove what is published: there is no administrator and no upgrade.
contract Registry is IRegistry, ConnectorBuilder, EIP712, Nonces {
    bytes32 private constant PUBLICATION_TYPEHASH = keccak256(
        "Publication(uint8 kind,string name,address owner,bytes32 contentHash,uint256 nonce,uint256 deadline,bytes metadata)"
    );
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "PublicationBatch(Publication[] publications)"
        "Publication(uint8 kind,string name,address owner,bytes32 contentHash,uint256 nonce,uint256 deadline,bytes metadata)"
    );

    /// Init code in front of an entity's code: returns what follows it, unchanged.
    bytes11 private constant INIT = hex"600b380380600b5f395ff3";
    uint256 private constant INIT_SIZE = 11;

    /// Bytes of a code payload in front of the code: argument count, offset, length.
    uint256 private constant CODE_PAYLOAD_HEAD = 96;

    uint256 private constant MAX_CODE_SIZE = 24576;
    uint256 private constant MAX_NAME_LENGTH = 128;
    uint256 private constant MAX_METADATA_LENGTH = 8192;

    /// Bit c is set when character c may stand in a name: `[A-Za-z0-9_]`.
    uint256 private constant NAME_CHARACTERS = 0x07fffffe87fffffe03ff000000000000;
    uint256 private constant DIGITS = 0x03ff000000000000;

    constructor() EIP712("Weft Registry", "1") {}

    /// @inheritdoc IRegistry
    function publish(Publication calldata publication, bytes calldata signature) external returns (address entity) {
        bytes32 metadataHash = _checkTerms(publication);
        address owner = publication.owner;
        if (!_isOwnCall(owner, signature)) {
            _checkSignature(owner, _structHash(publication, metadataHash), signature);
        }
        return _register(publication, metadataHash);
    }

    /// @inheritdoc IRegistry
    function publishBatch(Publication[] calldata publications, bytes calldata signature)
        external
        returns (address[] memory entities)
    {
        uint256 count = publications.length;
        if (count == 0) revert EmptyBatch();
        address owner = publications[0].owner;
        bytes32[] memory metadataHashes = new bytes32[](count);
        for (uint256 i; i < count; ++i) {
            if (publications[i].owner != owner) revert BatchOwnerMismatch(i);
            metadataHashes[i] = _checkTerms(publications[i]);
        }
        if (!_isOwnCall(owner, signature)) {
            _checkSignature(owner, _batchHash(publications, metadataHashes), signature);
        }
        entities = new address[](count);
        uint256 free;
        assembly ("memory-safe") {
            free := mload(0x40)
        }
        for (uint256 i; i < count; ++i) {
            entities[i] = _register(publications[i], metadataHashes[i]);
            // Nothing that a publication allocates is used after it.
            assembly ("memory-safe") {
                mstore(0x40, free)
            }
        }
    }

    /// @inheritdoc IRegistry
    function entry(uint8 kind, string calldata name)
        external
        view
        returns (address entity, address owner, uint32 argsCount, bytes32 contentHash)
    {
        Entry storage found = _entry(kind, keccak256(bytes(name)));
        return (found.entity, found.owner, kind == KIND_CONNECTOR ? 0 : found.size, found.contentHash);
    }

    /// @inheritdoc IRegistry
    function entityOf(uint8 kind, string calldata name) external view returns (address) {
        return _entry(kind, keccak256(bytes(name))).entity;
    }

    function nonces(address owner) public view override(IRegistry, Nonces) returns (uint256) {
        return super.nonces(owner);
    }

    /// Returns the EIP-712 digest that the owner of a publication signs.
    function publicationDigest(Publication calldata publication) external view returns (bytes32) {
        return _hashTypedDataV4(_structHash(publication, keccak256(publication.metadata)));
    }

    /// Returns the EIP-712 digest that the owner of a batch signs.
    function batchDigest(Publication[] calldata publications) external view returns (bytes32) {
        bytes32[] memory metadataHashes = new bytes32[](publications.length);
        for (uint256 i; i < publications.length; ++i) {
            metadataHashes[i] = keccak256(publications[i].metadata);
        }
        return _hashTypedDataV4(_batchHash(publications, metadataHashes));
    }

    /// Checks everything but the signature and the entity itself, and uses up the nonce.
    /// @return metadataHash keccak256 of the metadata.
    function _checkTerms(Publication calldata publication) private returns (bytes32 metadataHash) {
        uint8 kind = publication.kind;
        if (kind > KIND_CONDITION) revert InvalidKind(kind);
        _checkName(publication.name);
        address owner = publication.owner;
        require(owner != address(0), "owner is zero");
        if (block.timestamp > publication.deadline) revert PublicationExpired(publication.deadline);
        bytes calldata metadata = publication.metadata;
        if (metadata.length > MAX_METADATA_LENGTH) revert MetadataTooLong(metadata.length);
        _useCheckedNonce(owner, publication.nonce);
        return keccak256(metadata);
    }

    function _checkName(string calldata name) private pure {
        bytes calldata characters = bytes(name);
        if (characters.length == 0 || characters.length > MAX_NAME_LENGTH) revert InvalidName(name);
        uint256 allowed = NAME_CHARACTERS;
        if ((DIGITS >> uint8(characters[0])) & 1 != 0) revert InvalidName(name);
        for (uint256 i; i < characters.length; ++i) {
            if ((allowed >> uint8(characters[i])) & 1 == 0) revert InvalidName(name);
        }
    }

    function _isOwnCall(address owner, bytes calldata signature) private view returns (bool) {
        return signature.length == 0 && msg.sender == owner;
    }

    function _checkSignature(address owner, bytes32 structHash, bytes calldata signature) private view {
        bytes32 digest = _hashTypedDataV4(structHash);
        if (!SignatureChecker.isValidSignatureNowCalldata(owner, digest, signature)) revert InvalidSignature(owner);
    }

    function _structHash(Publication calldata publication, bytes32 metadataHash) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                PUBLICATION_TYPEHASH,
                publication.kind,
                keccak256(bytes(publication.name)),
                publication.owner,
                publication.contentHash,
                publication.nonce,
                publication.deadline,
                metadataHash
            )
        );
    }

    function _batchHash(Publication[] calldata publications, bytes32[] memory metadataHashes)
        private
        pure
        returns (bytes32)
    {
        bytes32[] memory hashes = new bytes32[](publications.length);
        for (uint256 i; i < publications.length; ++i) {
            hashes[i] = _structHash(publications[i], metadataHashes[i]);
        }
        return keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(hashes))));
    }

    /// Builds the entity, deploys it, takes its name and emits the event.
    function _register(Publication calldata publication, bytes32 metadataHash) private returns (address entity) {
        uint8 kind = publication.kind;
        string calldata name = publication.name;
        bytes32 nameHash = keccak256(bytes(name));
        Entry memory made;
        bytes memory code;
        if (kind == KIND_CONNECTOR) {
            Connector memory connector = _buildConnector(name, publication.payload, INIT_SIZE);
            code = connector.code;
            (made.size, made.depth, made.contentHash) = (connector.leaves, connector.depth, connector.contentHash);
        } else {
            (code, made.size, made.contentHash) = _readCode(kind, name, publication.payload);
        }
        if (made.contentHash != publication.contentHash) {
            revert ContentHashMismatch(publication.contentHash, made.contentHash);
        }

        Entry storage place = _entry(kind, nameHash);
        if (place.entity != address(0)) _revertTaken(kind, nameHash);
        if (kind != KIND_CONNECTOR) {
            uint256 size = code.length - INIT_SIZE;
            CodeScan.check(publication.payload[CODE_PAYLOAD_HEAD:CODE_PAYLOAD_HEAD + size]);
        }
        entity = _deploy(kind, nameHash, code);
        (made.entity, made.owner) = (entity, publication.owner);
        _store(place, made);
        emit Published(
            kind,
            publication.owner,
            nameHash,
            name,
            entity,
            made.contentHash,
            metadataHash,
            publication.nonce
        );
    }

    /// Reads a payload that must be exactly `abi.encode(uint32 argsCount, bytes runtime)`.
    /// @return code The runtime code behind `INIT_SIZE` bytes.
    function _readCode(uint8 kind, string calldata name, bytes calldata payload)
        private
        pure
        returns (bytes memory code, uint32 argsCount, bytes32 contentHash)
    {
        if (payload.length < CODE_PAYLOAD_HEAD) revert PayloadNotCanonical();
        bool canonical;
        bytes32 runtimeHash;
        assembly ("memory-safe") {
            argsCount := calldataload(payload.offset)
            let size := calldataload(add(payload.offset, 0x40))
            let padded := and(add(size, 0x1f), not(0x1f))
            // The bits of the last word that are padding; none remain when it is shifted by 256.
            let last := calldataload(sub(add(payload.offset, payload.length), 0x20))
            let padding := shl(sub(256, shl(3, sub(padded, size))), last)
            canonical :=
                and(
                    and(iszero(shr(32, argsCount)), eq(calldataload(add(payload.offset, 0x20)), 0x40)),
                    and(
                        and(iszero(shr(32, size)), eq(add(CODE_PAYLOAD_HEAD, padded), payload.length)),
                        iszero(padding)
                    )
                )
            if canonical {
                code := mload(0x40)
                let runtime := add(code, add(0x20, INIT_SIZE))
                mstore(code, add(size, INIT_SIZE))
                calldatacopy(runtime, add(payload.offset, CODE_PAYLOAD_HEAD), size)
                runtimeHash := keccak256(runtime, size)
                mstore(0x40, and(add(add(runtime, size), 0x1f), not(0x1f)))
            }
        }
        if (!canonical) revert PayloadNotCanonical();
        contentHash = keccak256(abi.encode(kind, name, argsCount, runtimeHash));
    }

    /// @param code The entity's code behind `INIT_SIZE` bytes for the init code.
    function _deploy(uint8 kind, bytes32 nameHash, bytes memory code) private returns (address) {
        uint256 size = code.length - INIT_SIZE;
        if (size == 0 || size > MAX_CODE_SIZE || code[INIT_SIZE] == 0xEF) revert InvalidCode(size);
        bytes32 init = INIT;
        assembly ("memory-safe") {
            let ptr := add(code, 0x20)
            mstore(ptr, or(init, shr(88, shl(88, mload(ptr)))))
        }
        return Create2.deploy(0, keccak256(abi.encode(kind, nameHash)), code);
    }

    function _store(Entry storage place, Entry memory made) private {
        place.entity = made.entity;
        place.size = made.size;
        place.depth = made.depth;
        place.owner = made.owner;
        place.contentHash = made.contentHash;
    }

    function _revertTaken(uint8 kind, bytes32 nameHash) private pure {
        if (kind == KIND_CONNECTOR) revert ConnectorAlreadyRegistered(nameHash);
        if (kind == KIND_TRANSFORMATION) revert TransformationAlreadyRegistered(nameHash);
        revert ConditionAlreadyRegistered(nameHash);
    }
}
