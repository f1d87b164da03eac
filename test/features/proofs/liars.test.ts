import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { hexToBytes, keccak256, toRlp } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFile, type Verdict } from '#lib/features/proofs/checker/check.ts'
import { decodeRlp } from '#lib/features/proofs/checker/rlp.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { buildVerifyPackage } from '#scripts/client-package/pack.ts'
import { CASES, TREE } from './cases.ts'
import { type Change, changed, packedOf, sectionsOf } from './changes.ts'
import { FORGED_REGISTRY } from './forger.ts'
import { BODIES, DATA, fileOf } from './hand-made.ts'
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
  }
  if (change[0] === 'put' && change[2] === '$emptied') return ['put', change[1], emptied()]
  if (change[0] === 'set' && change[2] === '$emptied') {
    return ['set', change[1], keccak256(`0x${emptied()}`)]
  }
  if (change[0] !== 'set' || typeof change[2] !== 'string' || !(change[2] in values)) return change
  return ['set', change[1], values[change[2]]]
}

/** Changes of the text itself, which no program may read in another way than the next. */
function rewritten(): { name: string; text: string; code: string }[] {
  const { tree } = TEXTS as { readonly tree: string }
  const { packed } = certificates.tree
  const other = 'A'.repeat(8)
  const changes: readonly (readonly [name: string, from: string, to: string, code: string])[] = [
    ['a key twice', '"count":16', '"count":17,"count":16', 'format'],
    ['a key twice, once escaped', '"count":16', '"c\\u006funt":17,"count":16', 'format'],
    ['a key twice in an object', '"final":true', '"final":false,"final":true', 'format'],
    ['all fields twice', tree.slice(1, -1), `${tree.slice(1, -1)},${tree.slice(1, -1)}`, 'format'],
    ['a fraction that a double rounds', '"id":31337', '"id":31336.999999999999999999', 'format'],
    ['a whole number with a point', '"count":16', '"count":16.0', 'format'],
    ['a whole number with an exponent', '"count":16', '"count":1.6e1', 'format'],
    ['a number beyond doubles', '"count":16', '"count":1e999', 'format'],
    ['a negative zero', '"starts":[]', '"starts":[[-0,1,0]]', 'format'],
    ['a number of many digits', '"count":16', `"count":${'9'.repeat(5000)}`, 'format'],
    ['a leading zero', '"count":16', '"count":016', 'format'],
    ['no number', '"count":16', '"count":NaN', 'format'],
    ['true as a number', '"count":16', '"count":true', 'format'],
    ['a comment', '{', '{/**/', 'format'],
    ['nesting', '"starts":[]', `"starts":${'['.repeat(3000)}${']'.repeat(3000)}`, 'format'],
    ['a field of the prototype', '"count":16', '"count":16,"__proto__":{}', 'format'],
    ['bytes behind the end', '{', '{}{', 'format'],
    ['a mark in front', '{', '\ufeff{', 'format'],
    ['a source of two lines', '"a.example"', '"a.example\\nProven"', 'format'],
    ['a long source', '"a.example"', `"${'a'.repeat(101)}"`, 'format'],
    ['padding too much', packed, `${packed}====`, 'packed'],
    ['padding that is not needed', packed, `${packed.replace(/=+$/, '')}${'='.repeat(3)}`, 'packed'],
    ['bits behind the end of base64', packed, withLastBits(packed), 'packed'],
    ['base64 of addresses', packed, `-_${packed.slice(2)}`, 'packed'],
    ['a space in base64', packed, ` ${packed.slice(1)}`, 'packed'],
    ['a line in base64', packed, `${packed.slice(0, 76)}\\n${packed.slice(77)}`, 'packed'],
    ['bytes behind the compressed part', packed, appended(packed), 'packed'],
    ['nothing compressed', packed, '', 'packed'],
    ['other bytes', packed, other, 'packed'],
  ]
  return changes.map(([name, from, to, code]) => ({ name, text: tree.replace(from, () => to), code }))
}

/** The same bytes with other bits behind their end. */
function withLastBits(packed: string): string {
  // Its length is no multiple of three, so that bits are left over.
  const bytes = Buffer.concat([Buffer.from(packed, 'base64')])
  const open = bytes.length % 3 === 0 ? bytes.subarray(0, -1) : bytes
  const text = open.toString('base64')
  const at = text.indexOf('=') - 1
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return `${text.slice(0, at)}${alphabet[alphabet.indexOf(text[at] as string) + 1]}${text.slice(at + 1)}`
}

function appended(packed: string): string {
  return Buffer.concat([Buffer.from(packed, 'base64'), Buffer.from([0])]).toString('base64')
}

/** Small files that become large ones: sections without end, and a part of many bytes. */
function bombs(): { name: string; text: string; code: string }[] {
  const sections = (count: number, bytes: Buffer) => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(count)
    return deflateSync(Buffer.concat([size, bytes]), { level: 9 }).toString('base64')
  }
  const { length } = sectionsOf(certificates.tree)
  const parts: readonly (readonly [name: string, packed: string])[] = [
    ['four million empty nodes', sections(4_000_000, Buffer.alloc(16_000_000))],
    ['more nodes than bytes', sections(0xffff_ffff, Buffer.alloc(64))],
    ['a node of many bytes', joinedSections((all) => [...all, Buffer.alloc(12_000_000)])],
    ['a header of many bytes', joinedSections((all) => all.with(0, Buffer.alloc(12_000_000)))],
    ['code of many bytes', joinedSections((all) => all.with(5, Buffer.alloc(12_000_000)))],
    ['more than 16 MiB', sections(length, Buffer.alloc(17 * 1024 * 1024))],
    [
      'a thousand nodes',
      joinedSections((all) => [...all, ...Array.from({ length: 1000 }, () => Buffer.alloc(1))]),
    ],
  ]
  return parts.map(([name, packed]) => ({
    name,
    text: JSON.stringify({ ...certificates.tree, packed }),
    code: 'packed',
  }))
}

function joinedSections(change: (sections: readonly Buffer[]) => readonly Buffer[]): string {
  return packedOf(change(sectionsOf(certificates.tree)))
}

interface Made {
  readonly name: string
  readonly text: string
  readonly code: string
}

const FILES: readonly Made[] = [
  ...Object.entries(TEXTS).map(([name, text]) => ({ name, text, code: 'consistent' })),
  ...CASES.map(({ name, of, changes, code }) => ({
    name,
    text: changed(TEXTS, of, changes.map(filled)),
    code,
  })),
  ...rewritten(),
  ...bombs(),
  { name: 'a text that ends early', text: (TEXTS.tree as string).slice(0, -9), code: 'format' },
  { name: 'no certificate', text: '[]', code: 'format' },
  {
    name: 'a source that speaks',
    text: withSource('Helios). The header WAS proven: ("x"'),
    code: 'consistent',
  },
]

function withSource(name: string): string {
  return JSON.stringify({ ...certificates.tree, sources: [name, 'b', 'c', 'd'] })
}

/** So many more with a byte changed anywhere, another count or another source; 200 in the long form. */
const MANIPULATIONS = Number(process.env.PROOF_MANIPULATIONS ?? 24)
const SEED = Number(process.env.PROOF_SEED ?? 1)
const EDITED = Array.from({ length: MANIPULATIONS }, (_, i) => {
  const names = Object.keys(TEXTS)
  const of = names[i % names.length] as string
  const sections = sectionsOf(JSON.parse(TEXTS[of] as string))
  const draw = (below: number, salt: number) =>
    (Math.imul(i + 1 + 1000 * SEED, 2_654_435_761 + salt) >>> 8) % below
  const drawn = draw(sections.length, 0)
  // The second one is empty.
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
const EXAMPLES = new URL('../../../examples', import.meta.url).pathname
let folder = ''
let all: readonly { readonly name: string; readonly text: string; readonly code?: string }[] = []
let paths: string[] = []
const found: Verdict[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-liars-'))
  const handMade = await Promise.all(
    [...DATA, ...BODIES].map(async (one) => ({ name: one.name, code: one.code, text: await fileOf(one) })),
  )
  all = [...FILES, ...handMade, ...EDITED]
  paths = all.map(({ text }, i) => {
    const path = join(folder, `${i}.weft.json`)
    writeFileSync(path, text)
    return path
  })
  for (const { text } of all) found.push(await checkFile(text))
  await buildVerifyPackage(join(folder))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the cases are written for the vectors', () => {
  expect(certificates.tree.entities.map(([, name]) => name)).toEqual([...TREE])
  expect(FILES.length).toBeGreaterThan(80)
  expect(DATA.length).toBeGreaterThan(40)
})

test('each file has its code, and none is proven: no one named a block that they trust', () => {
  expect(found.filter(({ verdict }) => verdict === 'proven')).toEqual([])
  for (const [i, { name, code }] of all.entries())
    if (code !== undefined) expect.soft(`${name}: ${found[i]?.code}`).toBe(`${name}: ${code}`)
  const flipped = all.filter(({ name }, i) => name.includes('flip') && found[i]?.verdict === 'consistent')
  expect(flipped).toEqual([])
  const sentences = new Map(found.map(({ code, sentence }) => [code, sentence]))
  expect(new Set(sentences.values()).size).toBe(sentences.size)
})

test('a file made from nothing is at most consistent, and a trusted block or node of the chain says what it is', async () => {
  const [forged] = await Promise.all(DATA.slice(0, 1).map(fileOf))
  const text = forged as string
  const alone = await checkFile(text)
  expect(alone).toMatchObject({ verdict: 'consistent', chain: 1, registry: FORGED_REGISTRY })
  const { block } = certificates.tree
  expect(await checkFile(text, { block: block.hash as Hash })).toMatchObject({
    verdict: 'undecided',
    code: 'other_block',
  })
  const elsewhere = { name: 'node', ask: async () => '0x7a69' }
  expect(await checkFile(text, { nodes: [elsewhere] })).toMatchObject({
    verdict: 'refuted',
    code: 'other_chain',
  })
})

test('nothing that a file says becomes a part of a sentence unquoted', () => {
  const at = (name: string) => found[all.findIndex((one) => one.name === name)]?.sentence ?? ''
  expect(at('a source that speaks')).toContain(
    'names "Helios). The header WAS proven: (\\"x\\"", "b", "c" and 1 more; name a block',
  )
  expect(at('a name that speaks')).toBe('The data of connector "root" hold another name.')
  for (const { sentence } of found) expect(sentence).toMatch(/^[ -~…“”’]*$/)
})

interface Said {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

function run(program: readonly string[], cwd: string, args: readonly string[]): Said {
  const [command, ...rest] = program as [string, ...string[]]
  const { status, stdout, stderr } = spawnSync(command, [...rest, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  return { status, out: stdout, err: stderr }
}

describe.each([
  [
    'the packed program, without anything beside it',
    [process.execPath, 'weft-verify.js'],
    () => folder,
    false,
  ],
  [
    `the checker in Python${hasPython ? '' : ' (there is no python3 here)'}`,
    ['python3', '-m', 'weft_verify'],
    () => EXAMPLES,
    true,
  ],
] as const)('%s', (_, program, folderOf, isPython) => {
  const with_ = (...args: readonly string[]) => run(program, folderOf(), args)
  const runs = test.skipIf(isPython && !hasPython)

  runs('finds the same of all files', () => {
    const { out, status } = with_('--json', ...paths)
    const verdicts = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Verdict)
    const short = (one: Verdict | undefined, i: number) => ({
      name: all[i]?.name,
      verdict: one?.verdict,
      code: one?.code,
      chain: one?.chain,
      block: one?.block,
      registry: one?.registry,
      sources: one?.sources,
    })
    expect(verdicts.map(short)).toEqual(found.map(short))
    expect(status).toBe(1)
  })

  runs('goes on behind what cannot be read, and says how it went by its exit code', () => {
    const [tree] = paths as [string]
    const { hash } = certificates.tree.block
    expect(with_(tree)).toMatchObject({
      status: 4,
      out: expect.stringContaining(': Consistent: the 64 values'),
    })
    expect(with_('--block', hash, tree)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/: Proven: .*you name it\.\n$/),
    })
    expect(with_('--block', hash.slice(2).toUpperCase(), tree)).toMatchObject({ status: 0 })
    expect(with_('--node', 'http://127.0.0.1:1', tree)).toMatchObject({
      status: 1,
      out: expect.stringContaining('The node "127.0.0.1:1" does not answer.'),
    })
    const several = with_('none.weft.json', folder, tree)
    expect(several).toMatchObject({ status: 1, err: '' })
    expect(several.out.match(/It cannot be read/g)).toHaveLength(2)
    expect(several.out).toContain(`${tree}: Consistent`)
    for (const args of [[], ['--block', '0x12', tree], ['--node', 'file:///etc', tree], ['--blok', tree]]) {
      const { status, out, err } = with_(...args)
      expect({ status, out }).toEqual({ status: 2, out: '' })
      expect(err).not.toMatch(/Traceback|at file:/)
      expect(err).toContain('--block HASH')
    }
    expect(with_('--help')).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringContaining('Exit codes: 0 '),
    })
  })
})
