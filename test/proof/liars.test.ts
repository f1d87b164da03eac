import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hexToBytes, keccak256, toRlp } from 'viem/utils'
import { expect, test } from 'vitest'
import { checkFile } from '../../lib/proof/check.ts'
import { decodeRlp } from '../../lib/proof/rlp.ts'
import { CASES, TREE } from './cases.ts'
import { type Change, changed, sectionsOf } from './changes.ts'
import certificates from './vectors.json' with { type: 'json' }

/** Certificates as texts; the file has them as JSON. */
const TEXTS = Object.fromEntries(
  Object.entries(certificates).map(([name, one]) => [name, JSON.stringify(one)]),
)
const EMPTY_ROOT = hexToBytes('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

/** The header with the state root of an empty trie. */
function emptied(): string {
  const header = sectionsOf(certificates.tree)[0] as Buffer
  const fields = [...(decodeRlp(header) as Uint8Array[])]
  fields[3] = EMPTY_ROOT
  return toRlp(fields, 'hex').slice(2)
}

/** Puts what is known only of the vectors themselves in the place of names with a dollar sign. */
function filled(change: Change): Change {
  const { chain } = certificates.tree
  const values: Readonly<Record<string, unknown>> = {
    $runner: chain.runner,
    $registry: chain.registry,
    $clock: certificates.clock.ran_at.number,
    $block: certificates.clock.block.number,
  }
  if (change[0] === 'put' && change[2] === '$emptied') return ['put', change[1], emptied()]
  if (change[0] === 'set' && change[2] === '$emptied') {
    return ['set', change[1], keccak256(`0x${emptied()}`)]
  }
  if (change[0] !== 'set' || typeof change[2] !== 'string' || !(change[2] in values)) return change
  return ['set', change[1], values[change[2]]]
}

const FILES = [
  ...Object.entries(TEXTS).map(([name, text]) => ({ name, text, code: 'proven' })),
  ...CASES.map(({ name, of, changes, code }) => ({
    name,
    text: changed(TEXTS, of, changes.map(filled)),
    code,
  })),
  { name: 'a text that ends early', text: (TEXTS.tree as string).slice(0, -9), code: 'format' },
  { name: 'no certificate', text: '[]', code: 'format' },
]

test('the cases are written for the vectors', () => {
  expect(certificates.tree.entities.map(([, name]) => name)).toEqual([...TREE])
  expect(FILES.length).toBeGreaterThan(45)
})

test('every manipulated certificate is caught, with a sentence of its own', async () => {
  const found = new Map<string, string>()
  for (const { name, text, code } of FILES) {
    const verdict = await checkFile(text)
    expect.soft(verdict.code, name).toBe(code)
    expect(verdict.sentence.length).toBeGreaterThan(20)
    found.set(code, verdict.sentence)
  }
  expect(new Set(found.values()).size).toBe(found.size)
  expect(found.size).toBeGreaterThan(22)
})

const hasPython = spawnSync('python3', ['--version'], { timeout: 30_000 }).status === 0

test.skipIf(!hasPython)(
  `the checker in Python says the same${hasPython ? '' : ' (skipped: there is no python3 here)'}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-liars-'))
    try {
      const paths = FILES.map(({ text }, i) => {
        const path = join(folder, `${i}.weft.json`)
        writeFileSync(path, text)
        return path
      })
      // Exits with 1, as most files are refuted.
      const { stdout } = spawnSync('python3', ['-m', 'weft_verify', '--json', ...paths], {
        cwd: new URL('../../examples', import.meta.url).pathname,
        encoding: 'utf8',
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      })
      const codes = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { code: string }).code)
      expect(FILES.map(({ name }, i) => [name, codes[i]])).toEqual(
        FILES.map(({ name, code }) => [name, code]),
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
