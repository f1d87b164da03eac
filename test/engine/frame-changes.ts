import { Unanswerable } from '#lib/compute/simulator/local-evm.ts'
import { cycleCalldata, rangeCalldata, runCalldata } from '#lib/engine/sequence/runner-calls.ts'
import { disassemble, OPCODES } from '#lib/protocol/opcodes.ts'
import type { Machine } from '#test/support/machine.ts'
import { runtimeOf } from './compiled-bodies.ts'

/** Code one instruction of which is not what our compiler wrote. */
export interface ChangedCode {
  readonly title: string
  readonly code: Uint8Array
  readonly args: readonly number[]
}

/** Input of a call of several steps, and the whole answer, in hexadecimal digits; undefined where it reverts. */
export interface FrameCall {
  readonly x: number
  readonly steps: number
  /** Bytes of each value. */
  readonly size: number
  readonly calldata: Uint8Array
  readonly answer: string | undefined
}

const BODIES: readonly (readonly [body: string, args: readonly number[]])[] = [
  ['return x + args[0];', [7]],
  ['unchecked { return x * 1664525 + 1013904223; }', []],
]
const ADDRESS = `0x${'44'.repeat(20)}` as const

/** Opcodes that take and give as many words, next in the table. */
function alike(opcode: number): number[] {
  const { takes, gives, name } = OPCODES[opcode]!
  if (/^(JUMPDEST|JUMP|JUMPI)$/.test(name)) return []
  const others = OPCODES.flatMap((other, byte) =>
    other !== undefined && other.takes === takes && other.gives === gives && byte !== opcode ? [byte] : [],
  ).sort((a, b) => Math.abs(a - opcode) - Math.abs(b - opcode))
  if (/^(DUP|SWAP)/.test(name))
    return [opcode - 1, opcode + 1].filter((byte) => OPCODES[byte]?.name.startsWith(name.slice(0, 3)))
  return others.slice(0, 2)
}

/** Every instruction of contracts that our compiler makes, each changed in a few ways. */
export function changedCodes(): ChangedCode[] {
  return BODIES.flatMap(([body, args]) => {
    const code = runtimeOf(body)
    return disassemble(code).flatMap(({ pc, opcode, definition, pushed }) => {
      if (definition === undefined) return []
      const changed = (at: number, byte: number): ChangedCode => {
        const copy = Uint8Array.from(code)
        copy[at] = byte
        return { title: `${body} with ${byte} at ${at}`, code: copy, args }
      }
      if (pushed === undefined || opcode === 0x5f) return alike(opcode).map((byte) => changed(pc, byte))
      const last = pc + opcode - 0x5f
      return [1, 255, 32].map((by) => changed(last, (code[last]! + by) & 0xff))
    })
  })
}

/** The calls that the Runner may make, with what the EVM answers. */
export async function framedCalls(machine: Machine, { code, args }: ChangedCode): Promise<FrameCall[]> {
  await machine.put(ADDRESS, `0x${Buffer.from(code).toString('hex')}`)
  const other = args.map((arg) => arg + 2)
  const calls = [
    { x: 5, steps: 1, size: 32, calldata: runCalldata(5, args) },
    { x: 0xffff_ff00, steps: 1, size: 4, calldata: rangeCalldata(0xffff_ff00, args, 1) },
    { x: 60, steps: 3, size: 4, calldata: rangeCalldata(60, args, 3) },
    ...(args.length === 0
      ? []
      : [
          { x: 9, steps: 1, size: 4, calldata: cycleCalldata(9, [other, args], 1, 1) },
          { x: 9, steps: 1, size: 4, calldata: cycleCalldata(9, [args, other], 1, 0) },
          // Equal lists: a step knows only its own arguments.
          { x: 9, steps: 3, size: 4, calldata: cycleCalldata(9, [args, args], 3, 1) },
        ]),
  ]
  const answers: FrameCall[] = []
  for (const call of calls) {
    answers.push({ ...call, answer: await answerOfEvm(machine, call.calldata) })
  }
  return answers
}

/** Answer of a specialised step to the call. */
export function answerOf(
  step: (x: number, budget: { steps: number }) => number,
  { x, steps, size }: FrameCall,
): string | undefined {
  let value = x
  let answer = ''
  for (let i = 0; i < steps; i++) {
    value = step(value, { steps: 100_000 })
    if (value < 0) return undefined
    answer += value.toString(16).padStart(2 * size, '0')
  }
  return answer
}

async function answerOfEvm(machine: Machine, calldata: Uint8Array): Promise<string | undefined> {
  try {
    const outcome = await machine.call(ADDRESS, `0x${Buffer.from(calldata).toString('hex')}`)
    return outcome.status === 'returned' ? Buffer.from(outcome.output).toString('hex') : undefined
  } catch (error) {
    // It reads what a simulation does not know: no step may be made of it.
    if (error instanceof Unanswerable) return error.message
    throw error
  }
}
