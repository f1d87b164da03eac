// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ForbiddenOpcode} from "./Errors.sol";

/// Finds opcodes by which code could vanish (SELFDESTRUCT), run code that is not its own on its own account (DELEGATECALL,
/// CALLCODE) or create contracts (CREATE, CREATE2). `lib/domain/forbidden-opcodes.ts` decides the same.
library CodeScan {
    /// Sets of opcodes: bit c stands for opcode c.
    uint256 private constant FORBIDDEN = (1 << 0xf0) | (1 << 0xf2) | (1 << 0xf4) | (1 << 0xf5) | (1 << 0xff);
    /// STOP, JUMP, RETURN, REVERT, INVALID: what follows them runs only when it is jumped to.
    uint256 private constant TERMINATORS = (1 << 0x00) | (1 << 0x56) | (1 << 0xf3) | (1 << 0xfd) | (1 << 0xfe);
    /// Opcodes that have a meaning up to Osaka.
    uint256 private constant DEFINED = 0xe43f0000000000000000001fffffffffffffffffffff07ffffff00017fff0fff;

    /// Instruction lengths, one byte an opcode: a word of 32 opcodes, that of the pushes, and that of 0xe0 to 0xff, in which
    /// forbidden opcodes have length zero.
    uint256 private constant ONES = 0x0101010101010101010101010101010101010101010101010101010101010101;
    uint256 private constant PUSHES = 0x02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021;
    uint256 private constant LAST = 0x0101010101010101010101010101010100010001000001010101010101010100;

    /// Reverts with `ForbiddenOpcode` at the first forbidden opcode that may be reached. Push data is not code, and code
    /// between a terminator and the next JUMPDEST is never run.
    function check(bytes calldata code) internal pure {
        if (_hasForbidden(code)) _checkReachable(code);
    }

    /// Whether there is a forbidden opcode at any instruction boundary.
    function _hasForbidden(bytes calldata code) private pure returns (bool found) {
        assembly ("memory-safe") {
            // Behind the free memory pointer, and not needed after this block.
            let table := mload(0x40)
            mstore(table, ONES)
            mstore(add(table, 0x20), ONES)
            mstore(add(table, 0x40), ONES)
            mstore(add(table, 0x60), PUSHES)
            mstore(add(table, 0x80), ONES)
            mstore(add(table, 0xa0), ONES)
            mstore(add(table, 0xc0), ONES)
            mstore(add(table, 0xe0), LAST)
            let cursor := code.offset
            let end := add(cursor, code.length)
            // A forbidden opcode has length zero, so the steps stay at the first one.
            for { let start := 0 } and(lt(start, cursor), lt(cursor, end)) {} {
                start := cursor
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
                cursor := add(cursor, byte(0, mload(add(table, byte(0, calldataload(cursor))))))
            }
            found := lt(cursor, end)
        }
    }

    function _checkReachable(bytes calldata code) private pure {
        // Bit 0: the instruction may be reached. Bit 1: so may all up to the next JUMPDEST, because an opcode without a
        // meaning stands before it. A later fork may give it an operand, and what is a terminator today may be that.
        uint256 reachable = 1;
        unchecked {
            for (uint256 cursor; cursor < code.length; ++cursor) {
                uint256 opcode = uint8(code[cursor]);
                if (opcode >> 5 == 3) {
                    cursor += opcode - 0x5f;
                } else if (opcode == 0x5b) {
                    reachable = 1;
                } else if (reachable != 0) {
                    if ((FORBIDDEN >> opcode) & 1 != 0) revert ForbiddenOpcode(uint8(opcode), cursor);
                    if ((TERMINATORS >> opcode) & 1 != 0) reachable &= 2;
                    else if ((DEFINED >> opcode) & 1 == 0) reachable |= 2;
                }
            }
        }
    }
}
