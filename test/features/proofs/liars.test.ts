import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hexToBytes, keccak256, toRlp } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkFile } from '#lib/features/proofs/checker/check.ts'
import { decodeRlp } from '#lib/features/proofs/checker/rlp.ts'
import { buildVerifyPackage } from '#scripts/client-package/pack.ts'
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

/** As many more that make 200: a byte changed anywhere, another count, another source. */
const EDITED = Array.from({ length: 200 - FILES.length }, (_, i) => {
  const of = Object.keys(TEXTS)[i % 3] as string
  const sections = sectionsOf(JSON.parse(TEXTS[of] as string))
  const draw = (below: number, salt: number) => (Math.imul(i + 1, 2_654_435_761 + salt) >>> 8) % below
  const drawn = draw(sections.length, 0)
  // One is empty where no block is read.
  const section = sections[drawn]?.length ? drawn : 0
  const changes: readonly Change[] =
    i % 10 === 0
      ? [['set', 'count', 1 + draw(64, 1)]]
      : i % 10 === 1
        ? [['set', 'sources', [`node ${i}`]]]
        : [['flip', section, draw(sections[section]?.length ?? 1, 2)]]
  return { name: `${of}: ${JSON.stringify(changes)}`, text: changed(TEXTS, of, changes) }
})

const hasPython = spawnSync('python3', ['--version'], { timeout: 30_000 }).status === 0
let folder = ''
let paths: string[] = []
const expected: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-liars-'))
  const all = [...FILES, ...EDITED]
  paths = all.map(({ text }, i) => {
    const path = join(folder, `${i}.weft.json`)
    writeFileSync(path, text)
    return path
  })
  for (const { name, text } of all) expected.push(`${name}: ${(await checkFile(text)).code}`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The code that a program gives each file, behind the file's name. */
function codesOf(program: string, args: readonly string[], cwd: string, files = paths): string[] {
  // Exits with 1, as most files are refuted.
  const { stdout } = spawnSync(program, [...args, '--json', ...files], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const codes = stdout.trim().split('\n')
  return [...FILES, ...EDITED]
    .slice(0, files.length)
    .map(({ name }, i) => `${name}: ${codes[i] && (JSON.parse(codes[i]) as { code: string }).code}`)
}

test('one of 200 certificates is refuted, or undecided, where a byte of it was changed', () => {
  expect(expected).toHaveLength(200)
  const proven = expected.filter((line) => line.endsWith(': proven'))
  // The vectors as they are, and what their author may say: the sources, and a count of a rejected run.
  expect(proven.filter((line) => line.includes('flip'))).toEqual([])
  expect(proven.length).toBeGreaterThan(10)
})

test.skipIf(!hasPython)(
  `the checker in Python says the same of all${hasPython ? '' : ' (skipped: there is no python3 here)'}`,
  () => {
    const examples = new URL('../../../examples', import.meta.url).pathname
    expect(codesOf('python3', ['-m', 'weft_verify'], examples)).toEqual(expected)
  },
)

test('the packed program says the same, without anything beside it', async () => {
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  await buildVerifyPackage(packed)
  const manipulated = paths.slice(0, FILES.length)
  expect(codesOf(process.execPath, [join(packed, 'weft-verify.js')], folder, manipulated)).toEqual(
    expected.slice(0, FILES.length),
  )
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(packed, 'weft-verify.js'), paths[0] as string, 'none.weft.json'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  expect(stdout).toContain(`${paths[0]}: ${(await checkFile(FILES[0]?.text ?? '')).sentence}`)
  expect(stdout).toContain('none.weft.json: It cannot be read')
  expect(status).toBe(1)
})
