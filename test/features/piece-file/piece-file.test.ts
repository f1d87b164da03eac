import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { deleteWorld } from '#lib/core/worlds/publish-world.ts'
import { replaceWorld } from '#lib/core/worlds/replace-world.ts'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { PieceData, WorldData } from '#lib/features/piece-file/data.ts'
import { fileHeaders, pieceFile } from '#lib/features/piece-file/index.ts'
import { checkPiece, treeOf, verdictOf } from '#lib/features/piece-file/ui/program/check-piece.ts'
import { numberAt, turnedTree } from '#lib/features/piece-file/ui/program/turned-tree.ts'
import type { AuthorMetadata } from '#lib/protocol/author-metadata.ts'
import { contentId } from '#lib/protocol/content-id.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { packWorld } from '#scripts/world-kit/world-folder.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { listen, stop } from '#test/support/listen.ts'
import { GET } from '../../../app/(site)/connectors/[name]/piece.html/route.ts'
import { COMMANDS } from '../../../packages/weft/commands.ts'
import { parse as parseOptions } from '../../../packages/weft/options.ts'
import { type PieceNetwork, startPieceNetwork, twoVoices } from './pieces.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element
type Site = Awaited<ReturnType<PieceNetwork['site']>>

const TITLE = 'First </script><img src=x onerror=alert(1)> & <!-- light'

let network: PieceNetwork
let site: Site
let worldHash: string

/** Words that name a World. */
function words(bundleHash: string, more: AuthorMetadata = {}): AuthorMetadata {
  return {
    title: TITLE,
    description: 'Two voices.\nOne of them goes round.',
    licence: 'CC0-1.0',
    present: {
      particles: 48,
      tempo: 416,
      loop: true,
      world: { bundle_hash: bundleHash, slug: 'harp' },
      knobs: [{ name: 'leap', at: 'call/0/0/0', min: 1, max: 7 }],
    },
    ...more,
  }
}

beforeAll(async () => {
  network = await startPieceNetwork()
  site = await network.site()
  worldHash = (await site.upload(await packWorld('worlds/harp'))).bundleHash
  await network.publish(twoVoices('first'), words(worldHash))
  await network.publish(twoVoices('part'))
  await network.publish({
    name: 'above',
    dimensions: ['first', 'part'].map((composite) => ({ ...step(1), composite })),
  })
  await site.projected()
})
afterAll(() => network?.close())

async function fileOf(name: string, at: Site = site) {
  const { bytes, id } = await pieceFile(at.ctx, name)
  return { bytes, id, ...read(new TextDecoder().decode(bytes)) }
}

/** A dimension that climbs. */
function step(by: number) {
  return { transformations: [{ name: 'add', args: [by] }] }
}

/** The data blocks of a file. */
function read(text: string): { text: string; piece: PieceData; world: WorldData | undefined } {
  const block = (id: string) => {
    const [, json = 'null'] =
      new RegExp(`<script type="application/json" id="${id}">([^<]*)</script>`).exec(text) ?? []
    return JSON.parse(json)
  }
  return { text, piece: block('weft-piece'), world: block('weft-world') ?? undefined }
}

function verdict(piece: PieceData, world?: WorldData) {
  const findings = checkPiece(piece, world)
  return {
    findings,
    broken: findings.filter(({ holds }) => holds !== true),
    text: verdictOf(piece, findings),
  }
}

test('a file holds tree, words, World and hash of the values of the chain, and agrees with itself', async () => {
  const { bytes, id, piece, world, text } = await fileOf('first')
  if (process.env.PIECE_FILE) writeFileSync(process.env.PIECE_FILE, bytes)
  expect(id).toBe(contentId(bytes))
  expect(piece.entities.map(([kind, name]) => `${kind} ${name}`)).toEqual([
    'connector first',
    'transformation cycle',
    'transformation add',
  ])
  for (const [kind, name, code] of piece.entities) {
    const [address] =
      [...treeOf(piece).entities].find(([, each]) => each.kind === kind && each.name === name) ?? []
    expect(await network.registry.chain.publicClient.getCode({ address: address! }), name).toBe(code)
  }
  expect(world?.files.map(({ path }) => path)).toContain('world.js')
  const { broken, text: sentence } = verdict(piece, world)
  expect(broken).toEqual([])
  expect(sentence).toMatch(/^Consistent: if the registry 0x[0-9a-f]{40} of chain 31337 lists this connector/)
  expect(sentence).toContain('No file can show what a chain holds')
  expect(text.length).toBeLessThan(600_000)
})

test('what strangers wrote is data: no byte of it is markup', async () => {
  const { text, piece } = await fileOf('first')
  expect(JSON.parse(piece.words).title).toBe(TITLE)
  const elements: Element[] = []
  const visit = (node: Node) => {
    if ('tagName' in node) elements.push(node)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(text))
  expect(elements.map(({ tagName }) => tagName)).toEqual([
    'html',
    'head',
    ...Array(6).fill('meta'),
    'title',
    'style',
    'body',
    'noscript',
    ...Array(4).fill('script'),
  ])
  const names = elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))
  expect(names.filter((name) => name.startsWith('on') || name === 'src' || name === 'href')).toEqual([])
})

test('a World that its owner replaces changes no file', async () => {
  const zip = (version: string) =>
    makeBundle({ slug: 'renewed', version }, [{ name: 'words.txt', content: version }])
  const { id, bundleHash } = await site.upload(zip('1.0.0'))
  await network.publish(twoVoices('constant'), words(bundleHash))
  await site.projected()
  const before = await fileOf('constant')
  expect((await replaceWorld(site.ctx, { id, zip: zip('2.0.0') })).bundleHash).not.toBe(bundleHash)
  const after = await fileOf('constant')
  expect([after.id, after.world?.bundleHash]).toEqual([before.id, bundleHash])
  await deleteWorld(site.ctx, id)
  const { piece, world } = await fileOf('constant')
  const broken = verdict(piece).broken.filter(({ holds }) => holds === false)
  expect([piece.missingWorld, world, broken]).toEqual(['deleted', undefined, []])
})

test('two sites over one chain write the same bytes', async () => {
  const other = await network.site({ siteOrigin: 'https://elsewhere.example' })
  const without = await fileOf('first', other)
  expect([without.piece.missingWorld, without.world]).toEqual(['unknown', undefined])
  await other.upload(await packWorld('worlds/harp'))
  for (const name of ['first', 'part', 'above']) {
    const [one, two] = [await fileOf(name), await fileOf(name, other)]
    expect(two.id, name).toBe(one.id)
    expect(Buffer.from(two.bytes).equals(Buffer.from(one.bytes)), name).toBe(true)
  }
  expect((await fileOf('first')).text).not.toMatch(/elsewhere\.example|localhost/)
})

describe('a file that was changed fails its own check:', () => {
  type Change = (piece: PieceData) => PieceData
  const changes: readonly (readonly [string, Change])[] = [
    [
      'code',
      (piece) => ({
        ...piece,
        entities: piece.entities.map(([kind, name, code], i) => [
          kind,
          name,
          i === 2 ? (`${code.slice(0, -2)}fe` as Hex) : code,
        ]),
      }),
    ],
    ['a part less', (piece) => ({ ...piece, entities: piece.entities.slice(0, -1) })],
    [
      'another name',
      (piece) => ({
        ...piece,
        entities: piece.entities.map(([kind, name, code], i) => [kind, i === 0 ? 'other' : name, code]),
      }),
    ],
    ['words', (piece) => ({ ...piece, words: piece.words.replace('CC0-1.0', 'MIT') })],
    ['values', (piece) => ({ ...piece, answer: { outcome: 'particles', hash: `0x${'12'.repeat(32)}` } })],
    ['length', (piece) => ({ ...piece, count: 47 })],
    ['outcome', (piece) => ({ ...piece, answer: { outcome: 'reverted', reason: 'too large' } })],
    [
      'address',
      (piece) => ({ ...piece, publication: { ...piece.publication, address: `0x${'34'.repeat(20)}` } }),
    ],
    ['registry', (piece) => ({ ...piece, registry: `0x${'56'.repeat(20)}` })],
    [
      'content hash',
      (piece) => ({ ...piece, publication: { ...piece.publication, contentHash: `0x${'78'.repeat(32)}` } }),
    ],
  ]
  test.each(changes)('%s', async (_, change) => {
    const { piece, world } = await fileOf('first')
    const changed = verdict(change(piece), world)
    expect(changed.broken.length).toBeGreaterThan(0)
    expect(changed.text).toMatch(/^This file is not what it says/)
  })

  test('a file of the World', async () => {
    const { piece, world } = await fileOf('first')
    const files = world!.files.map((file) =>
      file.path === 'world.js' ? { ...file, text: `${file.text} ` } : file,
    )
    expect(verdict(piece, { ...world!, files }).text).toMatch(/^This file is not what it says/)
  })
})

test('a turned knob gives what a connector with that number would give', async () => {
  const { piece } = await fileOf('above')
  const tree = treeOf(piece)
  const engine = createEngine({ translators })
  const streams = (turns: Parameters<typeof turnedTree>[1]) => {
    const outcome = engine.runNow(
      { ...turnedTree(tree, turns)!, particlesCount: 8, dynamicRi: [] },
      { steps: 1e6, gas: 0n, milliseconds: 10_000 },
    )
    return outcome.status === 'returned' ? outcome.particles.map(({ data }) => [...data]) : outcome
  }
  expect(numberAt(tree, 'first:call/0/0/0')).toBe(3)
  expect(numberAt(tree, 'start/1')).toBe(0)
  expect(numberAt(tree, 'call/9/0/0')).toBeUndefined()
  const before = streams([]) as number[][]
  const turned = streams([{ at: 'first:call/0/0/0', value: 5 }]) as number[][]
  const cycle = (leap: number) => before[0]!.map((_, step) => (step * leap) % 24)
  expect([before[0], turned[0]]).toEqual([cycle(3), cycle(5)])
  expect(turned.slice(1)).toEqual(before.slice(1))
  expect((streams([{ at: 'first:start/1', value: 7 }]) as number[][])[0]![0]).toBe(7)
})

test('what no file can hold is refused by a sentence, what a file can do without is left out', async () => {
  await network.publish({ name: 'clock', dimensions: [{ transformations: [{ name: 'timed' }] }] })
  await network.publish({
    name: 'fenced',
    dimensions: [{ transformations: [{ name: 'strict', args: [5] }] }],
  })
  const large = await site.upload(
    makeBundle({ slug: 'large', preview: undefined }, [
      { name: 'noise.bin', content: new Uint8Array(5 * 1024 * 1024), stored: true },
    ]),
  )
  const gone = await site.upload(makeBundle({ slug: 'gone' }))
  await network.publish(twoVoices('with_large'), words(large.bundleHash))
  await network.publish(twoVoices('with_gone'), words(gone.bundleHash))
  await network.publish(twoVoices('with_none'), words('ab'.repeat(32)))
  const long = { ...words(worldHash).present!, particles: 65_536 }
  await network.publish(
    { name: 'long', dimensions: Array.from({ length: 20 }, () => twoVoices('').dimensions[0]!) },
    { present: long },
  )
  await site.projected()
  await deleteWorld(site.ctx, gone.id)

  await expect(pieceFile(site.ctx, 'clock')).rejects.toMatchObject({
    code: 'rejected',
    message: 'No file can hold this piece: its code reads the chain as it is at the moment (NUMBER)',
  })
  for (const name of ['nothing', 'a/b', '__proto__']) {
    await expect(pieceFile(site.ctx, name)).rejects.toMatchObject({ code: 'not_found' })
  }
  const fenced = await fileOf('fenced')
  expect(fenced.piece.answer.outcome).toBe('reverted')
  expect(verdict(fenced.piece).broken).toEqual([])
  const missing = ['with_large', 'with_gone', 'with_none'].map(
    async (name) => (await fileOf(name)).piece.missingWorld,
  )
  expect(await Promise.all(missing)).toEqual(['too_large', 'deleted', 'unknown'])
  const unknown = await fileOf('long')
  expect(unknown.piece.answer).toEqual({ outcome: 'unknown' })
  expect(verdict(unknown.piece).broken.map(({ holds }) => holds)).toEqual([undefined])
})

test('the download is named by its content id and harmless on the origin of a site', async () => {
  const file = await pieceFile(site.ctx, 'first')
  vi.stubGlobal('weftServices', Promise.resolve(site.ctx))
  const ask = (headers: Record<string, string> = {}) =>
    GET(new Request('http://localhost/connectors/first/piece.html', { headers }), {
      params: Promise.resolve({ name: 'first' }),
    })
  const answer = await ask()
  const { status, headers } = answer
  expect([status, headers.get('etag')]).toEqual([200, `"${file.id}"`])
  expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(file.bytes))).toBe(true)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-expose-headers')).toContain('ETag')
  expect(headers.get('content-disposition')).toBe('attachment; filename="first.html"')
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; .*; frame-ancestors 'none'; sandbox allow-scripts$/,
  )
  expect((await ask({ 'If-None-Match': `W/"${file.id}"` })).status).toBe(304)
})

test('weft piece saves the same bytes and prints their content id; what is no such file is refused', async () => {
  const file = await pieceFile(site.ctx, 'first')
  let sent: Uint8Array<ArrayBuffer> = file.bytes
  const server = createServer((_, response) =>
    response.writeHead(200, fileHeaders('first', file.id)).end(sent),
  )
  const folder = mkdtempSync(join(tmpdir(), 'weft-piece-'))
  try {
    const out = join(folder, 'kept.html')
    const { values } = parseOptions(['--site', `http://127.0.0.1:${await listen(server)}`, '--out', out])
    const lines: string[] = []
    const save = () =>
      COMMANDS.piece!.run(['first'], values, (line) => {
        lines.push(line)
      })
    await save()
    expect(lines).toEqual([`${out}: ${file.bytes.length} bytes, ${file.id}`])
    expect(readFileSync(out).equals(Buffer.from(file.bytes))).toBe(true)
    sent = file.bytes.slice(0, -1)
    await expect(save()).rejects.toThrow('sent something else than the file of a piece')
  } finally {
    await stop(server)
    rmSync(folder, { recursive: true, force: true })
  }
})
