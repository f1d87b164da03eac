import type { CallList } from '../plan/call-list.ts'

/**
 * The calldata that the Runner (`contracts/Sequence.sol`) sends to entities, word for word: a body that looks at
 * where its arguments lie sees the same here as there.
 */

const RUN = 0x9e26c033
const RANGE = 0xf4d649f7
const CYCLE = 0x47ad3e03
const CHECK = 0xe9f206b3

/** One step. */
export function runCalldata(x: number, args: readonly number[]): Uint8Array {
  return encode(RUN, [x, 0x40, args.length, ...args])
}

/** Several steps with the same arguments. */
export function rangeCalldata(x: number, args: readonly number[], count: number): Uint8Array {
  return encode(RANGE, [x, 0x60, count, args.length, ...args])
}

/** Several steps that take turns through argument lists of one length. */
export function cycleCalldata(
  x: number,
  lists: readonly (readonly number[])[],
  count: number,
  first: number,
): Uint8Array {
  const args = lists.flat()
  return encode(CYCLE, [x, 0xa0, count, lists[0]!.length, first, args.length, ...args])
}

/** A condition's question. */
export function checkCalldata(args: readonly number[]): Uint8Array {
  return encode(CHECK, [0x20, args.length, ...args])
}

/** `count` steps of a dimension whose next call is number `turn`; one step where they are asked one by one. */
export function stepsCalldata(list: CallList, x: number, count: number, turn: number): Uint8Array {
  const { args } = list.calls[list.mode === 'each' ? turn : 0]!
  switch (list.mode) {
    case 'each':
      return runCalldata(x, args)
    case 'range':
      return rangeCalldata(x, args, count)
    case 'cycle':
      return cycleCalldata(
        x,
        list.calls.map((call) => call.args),
        count,
        turn,
      )
  }
}

/** Asks the same of another value. */
export function writeX(calldata: Uint8Array, x: number): void {
  calldata[32] = x >>> 24
  calldata[33] = x >>> 16
  calldata[34] = x >>> 8
  calldata[35] = x
}

function encode(selector: number, words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 + 32 * words.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, selector)
  for (let i = 0; i < words.length; i++) {
    const at = 4 + 32 * i
    if (words[i]! < 0) bytes.fill(0xff, at, at + 28)
    view.setUint32(at + 28, words[i]!)
  }
  return bytes
}
