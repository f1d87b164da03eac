// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {WebAuthn} from "@openzeppelin/contracts/utils/cryptography/WebAuthn.sol";

/// An account of passkeys (WebAuthn, P-256). Each of its keys can sign for it (ERC-1271), have it call, and add or remove
/// keys; the first is part of its address. Signatures count for one account on one chain.
///
/// Every account is a clone whose immutable arguments are `qx, qy, rpIdHash`: the first key, and SHA-256 of the host that
/// its passkeys are for.
contract PasskeyAccount is IERC1271, EIP712 {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    bytes32 private constant MESSAGE_TYPEHASH = keccak256("Message(bytes32 hash)");
    bytes32 private constant CALL_TYPEHASH = keccak256("Call(address to,uint256 value,bytes data)");
    bytes32 private constant CALLS_TYPEHASH = keccak256(
        "Calls(Call[] calls,uint256 nonce,uint256 deadline)" "Call(address to,uint256 value,bytes data)"
    );

    /// Bytes of a signature in front of the assertion: the key that made it.
    uint256 private constant KEY_SIZE = 64;

    /// Nonce of the next calls.
    uint256 public nonce;
    /// Keys beside one.
    uint256 private _more;
    /// By hash of the key: the first one has been removed, or another one has been added.
    mapping(bytes32 keyHash => bool) private _changed;

    event KeyAdded(bytes32 qx, bytes32 qy);
    event KeyRemoved(bytes32 qx, bytes32 qy);

    error CallsExpired(uint256 deadline);
    error InvalidAssertion();
    /// Not called by the account itself.
    error NotTheAccount(address caller);
    /// The key is none, is there already, or is the last one.
    error InvalidKey(bytes32 qx, bytes32 qy);

    constructor() EIP712("Weft Passkey Account", "1") {}

    receive() external payable {}

    /// @param signature `qx, qy`, then `abi.encode` of the members of `WebAuthn.WebAuthnAuth`. The challenge is the
    /// EIP-712 digest of `Message(hash)`.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bool valid = _isSigned(keccak256(abi.encode(MESSAGE_TYPEHASH, hash)), signature);
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// Calls in the name of the account, all or none.
    /// @param signature As for `isValidSignature`; the challenge is the EIP-712 digest of `Calls`.
    function execute(Call[] calldata calls, uint256 deadline, bytes calldata signature) external {
        if (block.timestamp > deadline) revert CallsExpired(deadline);
        if (!_isSigned(_callsHash(calls, nonce++, deadline), signature)) revert InvalidAssertion();
        for (uint256 i; i < calls.length; ++i) {
            (bool success, bytes memory result) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            Address.verifyCallResult(success, result);
        }
    }

    function addKey(bytes32 qx, bytes32 qy) external {
        _checkSelf();
        if (isKey(qx, qy) || !P256.isValidPublicKey(qx, qy)) revert InvalidKey(qx, qy);
        _change(qx, qy);
        ++_more;
        emit KeyAdded(qx, qy);
    }

    /// Removes a key, the first one too, but not the last.
    function removeKey(bytes32 qx, bytes32 qy) external {
        _checkSelf();
        if (!isKey(qx, qy) || _more == 0) revert InvalidKey(qx, qy);
        _change(qx, qy);
        --_more;
        emit KeyRemoved(qx, qy);
    }

    function isKey(bytes32 qx, bytes32 qy) public view returns (bool) {
        (bytes32 firstX, bytes32 firstY,) = _arguments();
        bool first = qx == firstX && qy == firstY;
        return first != _changed[keccak256(abi.encode(qx, qy))];
    }

    function _change(bytes32 qx, bytes32 qy) private {
        bytes32 keyHash = keccak256(abi.encode(qx, qy));
        _changed[keyHash] = !_changed[keyHash];
    }

    function _checkSelf() private view {
        if (msg.sender != address(this)) revert NotTheAccount(msg.sender);
    }

    function _arguments() private view returns (bytes32 qx, bytes32 qy, bytes32 rpIdHash) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (bytes32, bytes32, bytes32));
    }

    function _isSigned(bytes32 structHash, bytes calldata signature) private view returns (bool) {
        if (signature.length < KEY_SIZE) return false;
        bytes32 qx = bytes32(signature[:32]);
        bytes32 qy = bytes32(signature[32:KEY_SIZE]);
        if (!isKey(qx, qy)) return false;
        (bool decoded, WebAuthn.WebAuthnAuth calldata auth) = WebAuthn.tryDecodeAuth(signature[KEY_SIZE:]);
        if (!decoded || auth.authenticatorData.length < 32) return false;
        (,, bytes32 rpIdHash) = _arguments();
        if (bytes32(auth.authenticatorData[:32]) != rpIdHash) return false;
        return WebAuthn.verify(abi.encode(_hashTypedDataV4(structHash)), auth, qx, qy);
    }

    function _callsHash(Call[] calldata calls, uint256 nonce_, uint256 deadline) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i; i < calls.length; ++i) {
            hashes[i] = keccak256(
                abi.encode(CALL_TYPEHASH, calls[i].to, calls[i].value, keccak256(calls[i].data))
            );
        }
        return keccak256(abi.encode(CALLS_TYPEHASH, keccak256(abi.encodePacked(hashes)), nonce_, deadline));
    }
}
