// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// For tests: an owner that accepts every signature and calls the registry while it is asked.
contract ReentrantWallet is IERC1271 {
    address private immutable REGISTRY;
    bytes private _call;

    constructor(address registry, bytes memory call) {
        REGISTRY = registry;
        _call = call;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        // A view compiles to a static call only; the registry calls this function by one as well.
        (bool success,) = REGISTRY.staticcall(_call);
        return success ? bytes4(0) : IERC1271.isValidSignature.selector;
    }
}
