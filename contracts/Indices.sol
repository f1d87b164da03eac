// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Lists of indices. Most are contiguous and are stored as first and maximum. The others are stored in memory, four
/// bytes each; ascending ones can be served while the sequence is computed.
library Indices {
    uint256 internal constant CONTIGUOUS = 0;
    uint256 internal constant ASCENDING = 1;
    uint256 internal constant ANY_ORDER = 2;

    /// A one in each of the eight 32-bit lanes of a word, and the numbers 0 … 7 in them.
    uint256 private constant ONES = 0x0000000100000001000000010000000100000001000000010000000100000001;
    uint256 private constant RAMP = 0x0000000000000001000000020000000300000004000000050000000600000007;

    /// @return mode one of the above
    /// @return first the first index
    /// @return max the largest one
    function classify(uint256 list, uint256 count) internal pure returns (uint256 mode, uint256 first, uint256 max) {
        assembly ("memory-safe") {
            first := shr(224, mload(list))
        }
        if (_isContiguous(list, count, first)) return (CONTIGUOUS, first, first + count - 1);
        assembly ("memory-safe") {
            mode := ASCENDING
            max := first
            let previous := first
            let end := add(list, shl(2, count))
            for { let ptr := add(list, 4) } lt(ptr, end) { ptr := add(ptr, 4) } {
                let index := shr(224, mload(ptr))
                if lt(index, previous) { mode := ANY_ORDER }
                if gt(index, max) { max := index }
                previous := index
            }
        }
    }

    function _isContiguous(uint256 list, uint256 count, uint256 first) private pure returns (bool same) {
        // Otherwise lanes would carry into each other.
        if (first + count - 1 > type(uint32).max) return false;
        assembly ("memory-safe") {
            let expected := add(mul(first, ONES), RAMP)
            let ptr := list
            let end := add(list, shl(5, shr(3, count)))
            let step := shl(3, ONES)
            for {} lt(ptr, end) { ptr := add(ptr, 32) } {
                if iszero(eq(mload(ptr), expected)) { break }
                expected := add(expected, step)
            }
            if eq(ptr, end) {
                let rest := sub(256, shl(5, and(count, 7)))
                same := iszero(shr(rest, xor(mload(ptr), expected)))
            }
        }
    }

    /// Copies the values at ascending or any indices to `target`, up to the end of the list or the first index above
    /// `limit`. Leaves a word of zeros behind the last value.
    ///
    /// @param base Where the value at index 0 would lie, four bytes a value.
    /// @return list what is left of the list
    /// @return target where the next value goes
    function pick(uint256 list, uint256 end, uint256 target, uint256 base, uint256 limit)
        internal
        pure
        returns (uint256, uint256)
    {
        assembly ("memory-safe") {
            for {} lt(list, end) {} {
                let index := shr(224, mload(list))
                if gt(index, limit) { break }
                mstore(target, mload(add(base, shl(2, index))))
                list := add(list, 4)
                target := add(target, 4)
            }
            mstore(target, 0)
        }
        return (list, target);
    }
}
