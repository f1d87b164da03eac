// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ConnectorBuilder} from "./ConnectorBuilder.sol";
import "./Errors.sol";
import {IRegistry} from "./IRegistry.sol";
import {KIND_CONDITION, KIND_CONNECTOR, KIND_TRANSFORMATION, Publication} from "./Types.sol";

/// The names of a network. Whoever owns an account may publish under a free name; nobody, the deployer included, can
/// ever rename, replace or remove what is published: there is no administrator and no upgrade.
contract Registry is IRegistry, ConnectorBuilder, EIP712, Nonces {
    bytes32 private constant PUBLICATION_TYPEHASH = keccak256(
        "Publication(uint8 kind,string name,address owner,bytes32 contentHash,bytes32 metadataHash,uint256 nonce,uint256 deadline)"
    );

    /// Init code in front of an entity's code: returns what follows it, unchanged.
    bytes11 private constant INIT = hex"600b380380600b5f395ff3";
    uint256 private constant INIT_SIZE = 11;

    uint256 private constant MAX_CODE_SIZE = 24576;
    uint256 private constant MAX_NAME_LENGTH = 128;

    /// Bit c is set when character c may stand in a name: `[A-Za-z0-9_]`.
    uint256 private constant NAME_CHARACTERS = 0x07fffffe87fffffe03ff000000000000;
    uint256 private constant DIGITS = 0x03ff000000000000;

    constructor() EIP712("Weft Registry", "1") {}

    /// @inheritdoc IRegistry
    function publish(Publication calldata publication, bytes calldata signature) external returns (address entity) {
        uint8 kind = publication.kind;
        if (kind > KIND_CONDITION) revert InvalidKind(kind);
        string calldata name = publication.name;
        _checkName(name);
        address owner = publication.owner;
        require(owner != address(0), "owner is zero");
        if (block.timestamp > publication.deadline) revert PublicationExpired(publication.deadline);
        _useCheckedNonce(owner, publication.nonce);
        _checkAuthority(publication, signature);

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
        entity = _deploy(kind, nameHash, code);
        (made.entity, made.owner) = (entity, owner);
        _store(place, made);
        emit Published(
            kind, owner, nameHash, name, entity, made.contentHash, publication.metadataHash, publication.nonce
        );
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

    /// The digest that an owner signs for a publication.
    function publicationDigest(Publication calldata publication) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(
                abi.encode(
                    PUBLICATION_TYPEHASH,
                    publication.kind,
                    keccak256(bytes(publication.name)),
                    publication.owner,
                    publication.contentHash,
                    publication.metadataHash,
                    publication.nonce,
                    publication.deadline
                )
            )
        );
    }

    function _checkAuthority(Publication calldata publication, bytes calldata signature) private view {
        address owner = publication.owner;
        if (signature.length == 0 && msg.sender == owner) return;
        bytes32 digest = publicationDigest(publication);
        if (!SignatureChecker.isValidSignatureNowCalldata(owner, digest, signature)) revert InvalidSignature(owner);
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

    function _readCode(uint8 kind, string calldata name, bytes calldata payload)
        private
        pure
        returns (bytes memory code, uint32 argsCount, bytes32 contentHash)
    {
        bytes memory runtime;
        (argsCount, runtime) = abi.decode(payload, (uint32, bytes));
        contentHash = keccak256(abi.encode(kind, name, argsCount, keccak256(runtime)));
        code = bytes.concat(INIT, runtime);
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
