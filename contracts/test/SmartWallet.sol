// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// For tests: an account of several keys of which some must sign; as the code of an account of a key (EIP-7702), that
/// key signs.
contract SmartWallet is IERC1271 {
    mapping(address => bool) private _keys;
    uint256 private _threshold;
    uint256 private _nonce;

    constructor(address[] memory keys, uint256 threshold) {
        for (uint256 i; i < keys.length; ++i) _keys[keys[i]] = true;
        _threshold = threshold;
    }

    /// @param signatures 65 bytes of each key, ascending by address.
    function isValidSignature(bytes32 hash, bytes calldata signatures) public view returns (bytes4) {
        uint256 threshold = _threshold == 0 ? 1 : _threshold;
        if (signatures.length != 65 * threshold) return 0;
        address last;
        for (uint256 i; i < threshold; ++i) {
            address key = ECDSA.recover(hash, signatures[65 * i:65 * (i + 1)]);
            if (key <= last || !(_keys[key] || key == address(this))) return 0;
            last = key;
        }
        return IERC1271.isValidSignature.selector;
    }

    /// Calls in the name of the account; any sender may pay for it.
    function execute(address to, bytes calldata data, bytes calldata signatures) external {
        bytes32 hash = keccak256(abi.encode(address(this), block.chainid, _nonce++, to, data));
        require(isValidSignature(hash, signatures) == IERC1271.isValidSignature.selector, "not signed");
        (bool success, bytes memory answer) = to.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}
