// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {PasskeyAccount} from "./PasskeyAccount.sol";

/// Creates accounts of passkeys at addresses that are known before. It has no rights in them, and holds nothing.
contract PasskeyFactory {
    address public immutable implementation = address(new PasskeyAccount());

    /// Returns the address of the account, created or not.
    function accountOf(bytes32 qx, bytes32 qy, bytes32 rpIdHash) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(
            implementation, abi.encode(qx, qy, rpIdHash), bytes32(0)
        );
    }

    /// Creates the account where it is missing.
    function create(bytes32 qx, bytes32 qy, bytes32 rpIdHash) public returns (address account) {
        account = accountOf(qx, qy, rpIdHash);
        if (account.code.length == 0) {
            Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encode(qx, qy, rpIdHash), bytes32(0));
        }
    }

    /// Creates the account where it is missing, and makes one call that needs it to be there, all or none.
    /// @param target Anything: the call comes from this contract, which has no rights anywhere.
    function createAndCall(bytes32 qx, bytes32 qy, bytes32 rpIdHash, address target, bytes calldata data)
        external
        returns (bytes memory)
    {
        create(qx, qy, rpIdHash);
        return Address.functionCall(target, data);
    }
}
