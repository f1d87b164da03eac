import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectorStarts } from '#lib/core/entities/connector-facts.ts'
import { type ChainRun, runOnChain } from '#lib/core/entities/execution/run-on-chain.ts'
import { certifyRun } from '#lib/features/proofs/certify-run.ts'
import { checkFile } from '#lib/features/proofs/checker/check.ts'
import { nodeAt, nodeOf } from '#lib/features/proofs/checker/node.ts'
import { type Expected, verifyRun } from '#lib/features/proofs/ui/verify-run.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { oEmbed } from '#lib/views/oembed.ts'
import { PICTURE_KINDS, pictureScene, runScene } from '#lib/views/pictures.ts'
import { runView } from '#lib/views/run-page.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { devAccount, type Network, startNetwork } from '#test/core/publication/network.ts'
import { testConfig } from '#test/support/config.ts'
import { contextOf } from '#test/support/context.ts'
import { GET as getCertificate } from '../../../app/(site)/run/[name]/certificate/route.ts'

const owner = devAccount(0)
let network: Network
/** Hash of a block of this chain before anything was published. */
let before: Hash

beforeAll(async () => {
  // Examples of bodies have a share of a simulation's time: none is left out on a slow machine.
  network = await startNetwork({ config: { simulate: { ...testConfig().simulate, timeoutMs: 300_000 } } })
  await network.chain.rpc('anvil_mine', ['0x1'])
  before = (await network.chain.publicClient.getBlock()).hash
  network.startWorker()
  await network.draftTransformation('add', owner)
  await network.post('/condition', { name: 'never', sol_src: 'return args[0] > args[0];' }, owner)
  await network.publish('transformation', 'add', owner)
  await network.publish('condition', 'never', owner)
  const add = { transformations: [{ name: 'add', args: [1] }] }
  const drafts = [
    { name: 'duo', dimensions: [add, add] },
    {
      name: 'tree',
      dimensions: [{ ...add, composite: 'duo' }, add],
      static_ri: { 1: { start_point: 5, transformation_shift: 0 } },
    },
    { name: 'blocked', dimensions: [add], condition_name: 'never', condition_args: [1] },
  ]
  for (const draft of drafts) {
    await network.post('/connector', draft, owner)
    await network.publish('connector', draft.name, owner)
  }
})
afterAll(() => network?.close())

function context() {
  return contextOf(network.api.services)
}

const start = { position: 2, startPoint: 40, transformationShift: 0 }
const asked = { connector: 'tree', count: 6, dynamicRi: [start] }

async function execute({ connector, count, dynamicRi } = asked, at?: Hash): Promise<ChainRun> {
  return runOnChain(context(), { connectorName: connector, particlesCount: count, dynamicRi, at })
}

/** Run as a page would hold it, with where it comes from. */
function shown(run: ChainRun): { expected: Expected; provenance: Parameters<typeof verifyRun>[2] } {
  if (run.outcome === 'particles') {
    const streams = run.particles.map(({ path, data }) => ({ path, data: [...data] }))
    return {
      expected: { state: 'particles', streams, paths: streams.length },
      provenance: run.provenance,
    }
  }
  if (run.outcome === 'rejected') {
    return { expected: { state: 'rejected', message: run.message }, provenance: run.provenance }
  }
  throw new Error(run.outcome)
}

describe('the picture of a page', () => {
  const figureOf = async (kind: (typeof PICTURE_KINDS)[number], name: string) =>
    (await pictureScene(context(), kind, name, 'card'))?.figure

  test('shows the numbers: of a connector, of a body run alone, of an account', async () => {
    const simulated = await figureOf('connector', 'duo')
    expect(simulated).toMatchObject({ kind: 'threads', streams: [expect.any(Array), expect.any(Array)] })
    // `x + args[0]`, again and again.
    expect(await figureOf('transformation', 'add')).toMatchObject({
      kind: 'threads',
      streams: [expect.arrayContaining([4, 7, 10]), expect.any(Array), expect.any(Array)],
    })
    expect(await figureOf('condition', 'never')).toEqual({ kind: 'answers', rows: [Array(8).fill(false)] })
    expect(await figureOf('connector', 'blocked')).toEqual({ kind: 'bare' })
    expect(await figureOf('user', owner.address)).toMatchObject({ kind: 'threads' })
    expect(await figureOf('site', 'weft')).toMatchObject({ kind: 'threads' })
  })

  test('has the numbers of the page that a tile leads to', async () => {
    const figure = await figureOf('connector', 'duo')
    if (figure?.kind !== 'threads') throw new Error('A connector is drawn as threads')
    const { run } = (
      await runView(context(), { connector: 'duo', count: figure.streams[0]!.length, dynamicRi: [] })
    ).result
    if (run.state !== 'particles') throw new Error(run.state)
    expect(figure.streams).toEqual(run.streams.map(({ data }) => [...data]))
    // Neither flat nor empty.
    for (const stream of figure.streams) expect(new Set(stream).size).toBeGreaterThan(8)
  })

  test('says what it is on a card, and nothing on a tile, which does not follow its author’s name', async () => {
    const [card, tile] = await Promise.all(
      (['card', 'tile'] as const).map((size) => pictureScene(context(), 'connector', 'duo', size)),
    )
    expect(card).toMatchObject({ title: 'duo', caption: expect.stringContaining('2 voices') })
    expect(tile).toMatchObject({ title: '', caption: '' })
    const { result } = await runView(context(), asked)
    expect(runScene(asked, result, 'card').caption).toBe('6 steps · 3 voices · 1 start set')
  })

  test('is drawn on a thread, once for the same scene; of an unknown name there is none', async () => {
    const { pictures } = network.api.services
    const scene = await pictureScene(context(), 'connector', 'tree', 'tile')
    const png = await pictures.draw(scene!)
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG')
    expect(await pictures.draw(scene!)).toBe(png)
    for (const kind of PICTURE_KINDS) {
      for (const name of ['no_such_thing', 'valueOf', '../x', ''])
        expect(await figureOf(kind, name)).toBeUndefined()
    }
  })
})

describe('oEmbed', () => {
  const embed = (page: string, more: Record<string, string> = {}) => {
    const url = new URL(page, network.api.services.config.siteOrigin).href
    return oEmbed(context(), new URLSearchParams({ url, ...more }))
  }

  test('answers with a player for connectors and runs, within the size that is asked for', async () => {
    expect(await embed('/connectors/duo', { maxwidth: '480', maxheight: '99999' })).toMatchObject({
      type: 'rich',
      width: 480,
      html: expect.stringMatching(/^<iframe src="http[^"]*\/embed\/connector\/duo" title="duo" width="480"/),
    })
    const run = await embed('/run/tree?count=6&ri=2:40')
    expect(run).toMatchObject({
      html: expect.stringContaining('/embed/run/tree?count=6&amp;ri=2:40"'),
    })
    expect(await embed('/transformations/add', { maxwidth: '300' })).toMatchObject({
      type: 'photo',
      url: expect.stringContaining('/pictures/transformation/add.png'),
      width: 300,
    })
  })

  test('refuses other sites, names and sizes', async () => {
    for (const page of [
      ...['https://elsewhere.example/connectors/duo', '/connectors/none', '/connectors/%ff', '/studio', '/'],
      ...['/run/duo?count=x', '/worlds/none', '/connectors/duo/x', '/conditions/duo', 'javascript:alert(1)'],
    ]) {
      expect([page, await embed(page)]).toEqual([page, undefined])
    }
    for (const more of [
      { maxwidth: '0' },
      { maxheight: '-1' },
      { maxwidth: '1e3' },
      { url: '' },
      { url: '//' },
    ])
      await expect(embed('/connectors/duo', more)).rejects.toMatchObject({ code: 'invalid_request' })
    const long = embed(`/connectors/${'x'.repeat(9000)}`)
    await expect(long).rejects.toMatchObject({ code: 'invalid_request' })
  })
})

describe('a run on chain', () => {
  test('names its source, and is the same again at its block', async () => {
    const run = await execute()
    const { provenance, expected } = shown(run)
    expect(provenance).toMatchObject({
      chainId: network.chain.chainId,
      runner: network.chain.runner.toLowerCase(),
      registry: network.chain.registry.toLowerCase(),
    })
    const block = await network.chain.publicClient.getBlock({ blockHash: provenance.blockHash })
    expect(provenance).toMatchObject({
      blockNumber: Number(block.number),
      blockTimeMs: Number(block.timestamp) * 1000,
    })
    await network.chain.rpc('anvil_mine', ['0x2'])
    const again = await execute(asked, provenance.blockHash)
    expect(shown(again)).toEqual({ provenance, expected })
  })

  test('finds no connector before its publication, no block of another chain, no state long forgotten', async () => {
    expect((await execute(asked, before)).outcome).toBe('unknown')
    expect(await execute(asked, `0x${'12'.repeat(32)}`)).toEqual({ outcome: 'block_gone' })
    // The node began with a snapshot: what was stored at the blocks below it is not there.
    const first = await network.chain.publicClient.getBlock({ blockNumber: 1n })
    expect(await execute(asked, first.hash)).toEqual({ outcome: 'state_gone' })
  })
})

describe('the certificate of a run', () => {
  const certify = (link: typeof asked) => certifyRun(context(), link)

  test('is made by the server for published code, and checked without it', async () => {
    const text = await certify(asked)
    expect(await checkFile(text)).toMatchObject({ verdict: 'consistent' })
    expect(JSON.parse(text)).toMatchObject({
      connector: 'tree',
      count: 6,
      starts: [[2, 40, 0]],
      ran_at: null,
    })
  })

  test('comes from the address of the run, also where the run is rejected', async () => {
    vi.stubGlobal('weftServices', Promise.resolve(network.api.services))
    const get = async (handler: typeof getCertificate, name: string, query: string) => {
      const request = new Request(`http://weft.example/run/${name}/x?${query}`)
      const response = await handler(request, { params: Promise.resolve({ name }) })
      return {
        status: response.status,
        cors: response.headers.get('access-control-allow-origin'),
        text: await response.text(),
      }
    }
    const found = await get(getCertificate, 'tree', 'count=6&ri=2:40')
    expect(found).toMatchObject({ status: 200, cors: '*' })
    expect(await checkFile(found.text)).toMatchObject({ verdict: 'consistent' })
    expect(await get(getCertificate, 'none', '')).toMatchObject({ status: 404, cors: '*' })
    const rejected = await get(getCertificate, 'blocked', '')
    expect(JSON.parse(rejected.text)).toMatchObject({ result: 'revert' })
    expect(await checkFile(rejected.text)).toMatchObject({ verdict: 'consistent' })
    expect(await get(getCertificate, 'tree', 'count=x')).toMatchObject({ status: 400 })
  })

  test('is refused with a sentence where there is none', async () => {
    await network.post(
      '/connector',
      { name: 'draft', dimensions: [{ transformations: [{ name: 'add', args: [1] }] }] },
      owner,
    )
    for (const [link, code, message] of [
      [{ ...asked, connector: 'no_such' }, 'not_found', /not found/i],
      [{ ...asked, connector: 'draft', dynamicRi: [] }, 'not_found', /had no connector "draft"/],
      [{ ...asked, count: 65_536 }, 'rejected', /196608 values.*command weft certify/],
    ] as const) {
      await expect(certify(link as typeof asked)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      })
    }
  })
})

describe('verifying', () => {
  test('through a node returns the same bytes, and names the difference otherwise', async () => {
    const ask = nodeAt(network.chain.url)
    const { provenance, expected } = shown(await execute())
    expect(await verifyRun(ask, asked, provenance, expected)).toMatchObject({ verdict: 'same', bytes: 736 })

    if (expected.state !== 'particles') throw new Error('no particles')
    const streams = expected.streams.map(({ path, data }) => ({ path, data: [...data] }))
    streams[1]!.data[3]! += 1
    const { path } = streams[1]!
    expect(await verifyRun(ask, asked, provenance, { ...expected, streams })).toEqual({
      verdict: 'different',
      sentence: `${path} at step 3 is ${streams[1]!.data[3]! - 1} there, and ${streams[1]!.data[3]} here.`,
    })
    expect(await verifyRun(ask, { ...asked, dynamicRi: [] }, provenance, expected)).toMatchObject({
      verdict: 'different',
    })
    expect(
      await verifyRun(ask, asked, provenance, { state: 'rejected', message: 'Condition not met' }),
    ).toMatchObject({ verdict: 'different' })
  })

  test('holds for rejections, through a wallet, too', async () => {
    const blocked = { connector: 'blocked', count: 3, dynamicRi: [] }
    const { provenance, expected } = shown(await execute(blocked))
    const wallet = nodeOf({
      request: ({ method, params }) =>
        network.chain.publicClient.request({ method, params } as Parameters<
          typeof network.chain.publicClient.request
        >[0]),
    })
    for (const ask of [nodeAt(network.chain.url), wallet]) {
      expect(await verifyRun(ask, blocked, provenance, expected)).toEqual({
        verdict: 'same_rejection',
        message: 'Condition not met',
      })
    }
  })

  test('explains what it cannot do', async () => {
    const ask = nodeAt(network.chain.url)
    const { provenance, expected } = shown(await execute())
    const judge = (change: Partial<typeof provenance>) =>
      verifyRun(ask, asked, { ...provenance, ...change }, expected)
    expect(await judge({ chainId: 5 })).toEqual({
      verdict: 'cannot',
      sentence: `The node is on chain ${network.chain.chainId}; this run is from chain 5.`,
    })
    expect(await judge({ runner: `0x${'11'.repeat(20)}` })).toMatchObject({
      verdict: 'cannot',
      sentence: expect.stringContaining('no runner contract'),
    })
    expect(await judge({ blockHash: `0x${'12'.repeat(32)}` })).toMatchObject({
      verdict: 'cannot',
      sentence: expect.stringContaining('another block'),
    })
    expect(await judge({ blockHash: `0x${'12'.repeat(32)}`, blockNumber: 1_000_000 })).toMatchObject({
      verdict: 'cannot',
      sentence: expect.stringContaining('no block 1000000'),
    })
    await expect(
      verifyRun(nodeAt(`http://127.0.0.1:${await anyFreePort()}`), asked, provenance, expected),
    ).rejects.toThrow(/^the node 127\.0\.0\.1:\d+ does not answer$/)
  })
})

describe('the page of a run', () => {
  test('lists where it can start, and what the definition fixes', async () => {
    const { lines, more } = await connectorStarts(context(), 'tree', 3)
    expect(more).toBe(true)
    expect(
      lines.map(({ position, name, leadsTo, locked, otherwise }) => [
        position,
        name,
        leadsTo,
        locked,
        otherwise.startPoint,
      ]),
    ).toEqual([
      [0, '', '', false, 0],
      [1, 'tree:0', 'duo', true, 5],
      [2, 'duo:0', '', false, 0],
      [3, 'duo:1', '', false, 0],
    ])
  })

  test('simulates and executes to the same numbers', async () => {
    const { provenance } = shown(await execute())
    const block = { number: provenance.blockNumber, hash: provenance.blockHash }
    const [here, there] = await Promise.all([
      runView(context(), asked),
      runView(context(), { ...asked, block }),
    ])
    expect([here.result.where, there.result.where]).toEqual(['here', 'chain'])
    if (here.result.run.state !== 'particles' || there.result.run.state !== 'particles') {
      throw new Error(JSON.stringify([here.result.run, there.result.run]))
    }
    expect(here.result.run.streams).toEqual(there.result.run.streams)
    expect(here.result.run.streams[0]!.data.slice(0, 2)).toEqual([45, 46])
  })

  test('knows when its block fell off the chain', async () => {
    await network.chain.rpc('anvil_mine', ['0x1'])
    const { provenance } = shown(await execute())
    await network.chain.rpc('anvil_reorg', [1, []])
    const block = { number: provenance.blockNumber, hash: provenance.blockHash }
    const { result } = await runView(context(), { ...asked, block })
    expect(result.run).toEqual({ state: 'block_gone' })
    const { expected } = shown(await execute())
    expect(await verifyRun(nodeAt(network.chain.url), asked, provenance, expected)).toMatchObject({
      verdict: 'cannot',
      sentence: expect.stringContaining('reorganised'),
    })
  })
})
