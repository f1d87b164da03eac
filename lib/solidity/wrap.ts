/**
 * The contract that carries an author's body. Its shape is part of the protocol: `contracts/Runner.sol` calls
 * `run`, `range` and `check`, and the bytes that come out of it are what content hashes cover.
 */

/** Compiler release that every artifact is built with; another release gives other bytes and other hashes. */
export const SOLC_VERSION = '0.8.37'

/** Settings of solc's standard JSON input, without `outputSelection`. */
export const COMPILER_SETTINGS = {
  evmVersion: 'cancun',
  viaIR: true,
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  debug: { revertStrings: 'default' },
} as const

/** Name of the only contract in a wrapped source. */
export const WRAPPED_CONTRACT = { transformation: 'Transformation', condition: 'Condition' } as const

const PREAMBLE = `// SPDX-License-Identifier: MIT
pragma solidity ${SOLC_VERSION};

`

const TRANSFORMATION_HEAD = `${PREAMBLE}contract Transformation {
    function run(uint32 x, uint32[] calldata args) public view returns (uint32) {
`

// `range` keeps its values behind the free memory pointer and rewinds that pointer after each step, so a body that
// allocates costs the same at every step. Values are returned bare, four bytes each.
const TRANSFORMATION_TAIL = `
    }

    function range(uint32 x, uint32 count, uint32[] calldata args) external view {
        uint256 cursor;
        uint256 end;
        uint256 free;
        assembly ("memory-safe") {
            cursor := mload(0x40)
            end := add(cursor, shl(2, count))
            free := and(add(end, 63), not(31))
            mstore(0x40, free)
        }
        while (cursor < end) {
            x = run(x, args);
            assembly ("memory-safe") {
                mstore(cursor, shl(224, x))
                cursor := add(cursor, 4)
                mstore(0x40, free)
            }
        }
        assembly ("memory-safe") {
            let size := shl(2, count)
            return(sub(end, size), size)
        }
    }
}
`

const CONDITION_HEAD = `${PREAMBLE}contract Condition {
    function check(int32[] calldata args) external view returns (bool) {
`

const CONDITION_TAIL = `
    }
}
`

export interface WrappedBody {
  readonly source: string
  /** Where the body begins in `source`; the text before it is ASCII, so UTF-8 offset and string index agree. */
  readonly bodyStart: number
}

/** Puts a body into its contract. The body is data here: nothing keeps it from closing the function early. */
export function wrapBody(kind: 'transformation' | 'condition', body: string): WrappedBody {
  const [head, tail] =
    kind === 'transformation' ? [TRANSFORMATION_HEAD, TRANSFORMATION_TAIL] : [CONDITION_HEAD, CONDITION_TAIL]
  return { source: head + body + tail, bodyStart: head.length }
}
