// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Writes big-endian numbers one after another into memory that the caller has allocated, with 32 bytes to spare
/// behind the last one. Each function returns where the next one goes.
library ByteWriter {
    function put8(uint256 ptr, uint256 value) internal pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(ptr, shl(248, value))
        }
        return ptr + 1;
    }

    function put16(uint256 ptr, uint256 value) internal pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(ptr, shl(240, value))
        }
        return ptr + 2;
    }

    function put32(uint256 ptr, uint256 value) internal pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(ptr, shl(224, value))
        }
        return ptr + 4;
    }

    function putAddress(uint256 ptr, address value) internal pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(ptr, shl(96, value))
        }
        return ptr + 20;
    }

    function putText(uint256 ptr, string calldata value) internal pure returns (uint256) {
        assembly ("memory-safe") {
            calldatacopy(ptr, value.offset, value.length)
        }
        return ptr + bytes(value).length;
    }

    /// Overwrites two bytes and nothing else.
    function fill16(uint256 ptr, uint256 value) internal pure {
        assembly ("memory-safe") {
            mstore8(ptr, shr(8, value))
            mstore8(add(ptr, 1), value)
        }
    }

    /// Overwrites 20 bytes and nothing else.
    function fillAddress(uint256 ptr, address value) internal pure {
        assembly ("memory-safe") {
            mstore(ptr, or(shl(96, value), shr(160, shl(160, mload(ptr)))))
        }
    }
}
