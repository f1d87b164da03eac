import { closeSync, openSync, readSync } from 'node:fs'
import { type Trusted, type Verification, verify } from '../../lib/client/verify.ts'

/** Exit codes: every file is proven; one is refuted, undecided or cannot be read; none, but one is only consistent. */
const EXIT = { proven: 0, failed: 1, consistent: 4 } as const

/** One more than a certificate may have. */
const MAX_BYTES = 8 * 1024 * 1024 + 1

/** A problem of the options, as a sentence. */
export class TrustProblem extends Error {}

/** Reads `--block` and `--node`. @throws TrustProblem */
export function trustOf(block: string | undefined, nodes: readonly string[] = []): Trusted {
  if (block !== undefined && !/^(0x)?[0-9a-fA-F]{64}$/.test(block)) {
    throw new TrustProblem('--block must be the hash of a block, 64 hexadecimal digits')
  }
  const wrong = nodes.find((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
  if (wrong !== undefined) throw new TrustProblem('--node must be an address like https://node.example')
  return { nodes, ...(block !== undefined && { block: `0x${block.replace(/^0x/, '')}` }) }
}

/**
 * Checks files one after the other and prints a verdict of each.
 *
 * @returns The exit code of the program.
 */
export async function verifyFiles(
  paths: readonly string[],
  trusted: Trusted,
  json: boolean,
  print: (line: string) => void,
): Promise<number> {
  const verdicts = new Set<Verification['verdict']>()
  for (const path of paths) {
    const verification = await verdictOn(path, trusted)
    verdicts.add(verification.verdict)
    print(json ? JSON.stringify({ file: path, ...verification }) : `${path}: ${verification.sentence}`)
  }
  if (verdicts.has('refuted') || verdicts.has('undecided')) return EXIT.failed
  return verdicts.has('consistent') ? EXIT.consistent : EXIT.proven
}

async function verdictOn(path: string, trusted: Trusted): Promise<Verification> {
  let text: string
  try {
    text = read(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason'
    const sentence = `It cannot be read: ${why}`
    const nothing = { chain: null, block: null, registry: null, sources: null }
    return { verdict: 'undecided', code: 'unreadable', sentence, ...nothing }
  }
  return verify(text, trusted)
}

/** As much of a file as a certificate may have, and one byte more. */
function read(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(MAX_BYTES)
    let size = 0
    for (let more = 1; more > 0 && size < MAX_BYTES; size += more)
      more = readSync(file, bytes, size, MAX_BYTES - size, null)
    return bytes.toString('utf8', 0, size)
  } finally {
    closeSync(file)
  }
}
