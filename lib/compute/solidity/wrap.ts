/**
 * The contract that carries an author's body. Its shape is part of the protocol: `contracts/Runner.sol` calls
 * `run`, `range`, `cycle` and `check`, and the bytes that come out of it are what content hashes cover.
 */

/** Compiler release of every artifact; another release produces other bytes and other hashes. */
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
    function run(uint32 x, uint32[] calldata args) private view returns (uint32) {
`

// One loop serves all three entry points of `ITransformation`, so that the compiler lays the body out once, without
// a call in the loop: that is what makes a step cheap and an entity small.
//   run(x, args)                        one step; the value as a word
//   range(x, args, count)               count steps; the values bare, four bytes each
//   cycle(x, args, count, width, first) the same, taking turns through argument lists of `width` that lie one after
//                                       another in `args`, beginning with list `first`
// Values go behind the free memory pointer, which is rewound after each step: a body that allocates costs the same
// at every step. Between steps x is cut to 32 bits, as an ABI encoder would do.
const TRANSFORMATION_TAIL = `
    }

    fallback() external payable {
        uint32 x;
        uint32[] calldata args;
        uint256 cursor;
        uint256 end;
        uint256 free;
        uint256 last;
        assembly ("memory-safe") {
            x := calldataload(0x04)
            args.offset := add(calldataload(0x24), 0x24)
            args.length := calldataload(sub(args.offset, 0x20))
            let selector := shr(224, calldataload(0))
            if iszero(eq(selector, 0x9e26c033)) {
                let count := calldataload(0x44)
                if iszero(count) { return(0, 0) }
                cursor := mload(0x40)
                end := add(cursor, shl(2, sub(count, 1)))
                free := add(end, 0x20)
                mstore(0x40, free)
                if iszero(eq(selector, 0xf4d649f7)) {
                    if iszero(eq(selector, 0x47ad3e03)) { revert(0, 0) }
                    last := add(args.offset, shl(5, args.length))
                    args.length := calldataload(0x64)
                    args.offset := add(args.offset, mul(calldataload(0x84), shl(5, args.length)))
                }
            }
        }
        for (;;) {
            x = run(x & type(uint32).max, args);
            if (cursor == end) break;
            assembly ("memory-safe") {
                mstore(cursor, shl(224, x))
                cursor := add(cursor, 4)
                mstore(0x40, free)
                if last {
                    args.offset := add(args.offset, shl(5, args.length))
                    if eq(args.offset, last) { args.offset := add(calldataload(0x24), 0x24) }
                }
            }
        }
        assembly ("memory-safe") {
            if end {
                mstore(end, shl(224, x))
                let size := shl(2, calldataload(0x44))
                return(sub(add(end, 4), size), size)
            }
            mstore(0, and(x, 0xffffffff))
            return(0, 0x20)
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

/** Puts a body into its contract, unchecked: the body may close its function early (see `body-syntax.ts`). */
export function wrapBody(kind: 'transformation' | 'condition', body: string): WrappedBody {
  const [head, tail] =
    kind === 'transformation' ? [TRANSFORMATION_HEAD, TRANSFORMATION_TAIL] : [CONDITION_HEAD, CONDITION_TAIL]
  return { source: head + body + tail, bodyStart: head.length }
}
