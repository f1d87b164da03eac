import { readFileSync, writeFileSync } from 'node:fs'
import { compileBody } from '#lib/compute/solidity/compile-body.ts'

const FILE = new URL('../fixtures/compiled-bodies.json', import.meta.url)

/**
 * Runtime code of a transformation's body. Compiling takes longer than the tests, so the code is committed; with
 * COMPILE_BODIES=1 what is missing is compiled and added.
 */
export function runtimeOf(body: string): Uint8Array {
  const known = (kept.get(body) ?? compileAndKeep(body)).slice(2)
  return Uint8Array.from(known.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

export function compile(body: string): string {
  const outcome = compileBody('transformation', body)
  if (outcome.status !== 'compiled') throw new Error(`${body}: ${JSON.stringify(outcome)}`)
  return outcome.runtime
}

const kept = new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>))

function compileAndKeep(body: string): string {
  if (process.env.COMPILE_BODIES !== '1') throw new Error(`Run with COMPILE_BODIES=1 to compile ${body}`)
  const runtime = compile(body)
  kept.set(body, runtime)
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`)
  return runtime
}
