// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Reads big-endian numbers from memory at any address.
library ByteReader {
    function u8(uint256 ptr) internal pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(248, mload(ptr))
        }
    }

    function u16(uint256 ptr) internal pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(240, mload(ptr))
        }
    }

    function u32(uint256 ptr) internal pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(224, mload(ptr))
        }
    }

    function addr(uint256 ptr) internal pure returns (address value) {
        assembly ("memory-safe") {
            value := shr(96, mload(ptr))
        }
    }
}
