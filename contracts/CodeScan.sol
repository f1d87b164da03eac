// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ForbiddenOpcode} from "./Errors.sol";

/// Refuses code that could vanish (SELFDESTRUCT), run other code on its own account (DELEGATECALL, CALLCODE) or create
/// contracts (CREATE, CREATE2).
library CodeScan {
    /// Sets of opcodes: bit c stands for opcode c.
    uint256 private constant FORBIDDEN = (1 << 0xf0) | (1 << 0xf2) | (1 << 0xf4) | (1 << 0xf5) | (1 << 0xff);
    /// STOP, JUMP, RETURN, REVERT, INVALID: the next instruction runs only when it is jumped to.
    uint256 private constant TERMINATORS = (1 << 0x00) | (1 << 0x56) | (1 << 0xf3) | (1 << 0xfd) | (1 << 0xfe);
    /// Opcodes of the Osaka fork.
    uint256 private constant DEFINED = 0xe43f0000000000000000001fffffffffffffffffffff07ffffff00017fff0fff;

    /// Lengths of instructions, one byte an opcode: of 32 opcodes without push data, of the 32 pushes, and of 0xe0 to 0xff,
    /// where forbidden opcodes have length zero.
    uint256 private constant ONES = 0x0101010101010101010101010101010101010101010101010101010101010101;
    uint256 private constant PUSHES = 0x02030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021;
    uint256 private constant LAST = 0x0101010101010101010101010101010100010001000001010101010101010100;

    /// Reverts with `ForbiddenOpcode` at the first forbidden opcode that may be reached. Push data is no instruction, and
    /// what stands between a terminator and the next JUMPDEST is never reached.
    function check(bytes calldata code) internal pure {
        if (_hasForbidden(code)) _checkReachable(code);
    }

    /// Returns whether any instruction, reachable or not, is a forbidden one.
    function _hasForbidden(bytes calldata code) private pure returns (bool found) {
        // The table of lengths starts at address 0, so that an opcode is the address of its length: a quarter of the gas
        // of a step. The memory under it is saved first and restored at the end; a test checks that the compiled steps
        // do not use it for variables.
        assembly ("memory-safe") {
            function step(instruction) -> following {
                following := add(instruction, byte(0, mload(byte(0, calldataload(instruction)))))
            }
            let saved := mload(0x40)
            mcopy(saved, 0, 0x100)
            mstore(0x00, ONES)
            mstore(0x20, ONES)
            mstore(0x40, ONES)
            mstore(0x60, PUSHES)
            mstore(0x80, ONES)
            mstore(0xa0, ONES)
            mstore(0xc0, ONES)
            mstore(0xe0, LAST)
            let cursor := code.offset
            let end := add(cursor, code.length)
            // A forbidden instruction has length zero: the cursor stays at the first one.
            for { let start := 0 } and(lt(start, cursor), lt(cursor, end)) {} {
                start := cursor
                cursor := step(step(step(step(step(step(step(step(cursor))))))))
                cursor := step(step(step(step(step(step(step(step(cursor))))))))
                cursor := step(step(step(step(step(step(step(step(cursor))))))))
                cursor := step(step(step(step(step(step(step(step(cursor))))))))
            }
            found := lt(cursor, end)
            mcopy(0, saved, 0x100)
        }
    }

    function _checkReachable(bytes calldata code) private pure {
        // Bit 0: the instruction may be reached. Bit 1: as may all up to the next JUMPDEST, because an undefined opcode
        // precedes. A later fork may give that one an operand byte, and what is a terminator today may be the operand.
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
