import { type BodyKind, compileBody } from '#lib/compute/solidity/compile-body.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { keep, kept } from './kept.ts'

/*
 * Code of bodies that some process of a run has compiled. Loading the compiler takes seconds of a processor, and each body
 * a fifth of one; most processes need none of it.
 */

interface Code {
  readonly argsCount: number
  readonly runtime: Hex
}

const own = new Map<string, Code>()

/** Code of a body that was compiled before; undefined when none was. */
export function knownCode(kind: BodyKind, body: string): Code | undefined {
  const name = nameOf(kind, body)
  const known = own.get(name)
  if (known !== undefined) return known
  const text = kept(name)
  if (text === undefined) return undefined
  const code = JSON.parse(text) as Code
  own.set(name, code)
  return code
}

/** Keeps the code of a body, and returns it. */
export function remember(kind: BodyKind, body: string, { argsCount, runtime }: Code): Code {
  const code = { argsCount, runtime }
  own.set(nameOf(kind, body), code)
  keep(nameOf(kind, body), JSON.stringify(code))
  return code
}

/** Compiles a body that must compile, each text once a run. */
export function compileOnce(kind: BodyKind, body: string): Code {
  const known = knownCode(kind, body)
  if (known !== undefined) return known
  const outcome = compileBody(kind, body)
  if (outcome.status !== 'compiled') throw new Error(`does not compile: ${JSON.stringify(outcome)}`)
  return remember(kind, body, outcome)
}

function nameOf(kind: BodyKind, body: string): string {
  return `code of ${kind} ${body}`
}
