import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodePublish, encodePublish } from '#lib/chain/publication-calldata.ts'
import { readFeedStatus } from '#lib/core/feed/read-status.ts'
import { startIndexer } from '#lib/core/indexer/indexer.ts'
import { WrongRegistry } from '#lib/core/indexer/state.ts'
import { signPublication } from '#test/support/sign-publication.ts'
import { until } from '#test/support/until.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import {
  devAccount,
  type Network,
  type PreparedWire,
  signPrepared,
  startNetwork,
} from '../publication/network.ts'
import { expectEqualToFreshIndex, outbox, projection } from './projection.ts'

const owner = devAccount(0)
const other = devAccount(1)

let network: Network

beforeEach(async () => {
  // Finality far behind, so that reorganisations of a few blocks are ordinary.
  network = await startNetwork({ slotsInAnEpoch: 32 })
})
afterEach(() => network?.close())

function mine(blocks: number) {
  return network.chain.rpc('anvil_mine', [`0x${blocks.toString(16)}`])
}
async function sendPrepared(name: string, prepared: PreparedWire): Promise<Hex> {
  const raw = await signPrepared(prepared, owner)
  await network.chain.publicClient.waitForTransactionReceipt({
    hash: await network.chain.publicClient.sendRawTransaction({ serializedTransaction: raw }),
  })
  await waitForProjection(network.api.services, { kind: 'transformation', name })
  return raw
}

describe('the worker', () => {
  test('projects entities, accounts, formats, items and deltas, and a fresh database yields the same', async () => {
    network.startWorker()
    await network.draftTransformation('add', owner)
    await network.draftTransformation('sub', other, 'return x - args[0];')
    await network.publish('transformation', 'add', owner)
    await network.publish('transformation', 'sub', other)
    await network.draftConnector('pitch', ['add'], owner)
    await network.draftConnector('time', ['sub', 'add'], owner)
    await network.publish('connector', 'pitch', owner)
    await network.publish('connector', 'time', owner)
    const head = await network.chain.publicClient.getBlockNumber({ cacheTime: 0 })
    await waitForProjection(network.api.services, { block: head })

    const { entities, accounts, formats, items } = await projection(network.api.db)
    expect(entities.map(({ kind, name, artifact_hash }) => [kind, name, artifact_hash !== null])).toEqual([
      ['connector', 'pitch', true],
      ['connector', 'time', true],
      ['transformation', 'add', true],
      ['transformation', 'sub', true],
    ])
    expect(accounts.map(({ published }) => published).toSorted()).toEqual([1, 3])
    expect(formats.map(({ scalars, connectors }) => [scalars, connectors]).toSorted()).toEqual([
      [['pitch:0'], 1],
      [['time:0'], 1],
    ])
    expect(items.map(({ feed_id, status }) => [feed_id, status])).toEqual([
      ['31337:connector_added:pitch', 'observed'],
      ['31337:connector_added:time', 'observed'],
      ['31337:transformation_added:add', 'observed'],
      ['31337:transformation_added:sub', 'observed'],
    ])
    expect((await outbox(network.api.db)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    await expectEqualToFreshIndex(network)
  })

  test('advances items to safe and finalized with the node’s tags', async () => {
    network.startWorker()
    await network.draftTransformation('add', owner)
    await network.publish('transformation', 'add', owner)
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'add' })
    await mine(40)
    await until('safe', async () => (await outbox(network.api.db)).at(-1)?.status === 'safe')
    await mine(40)
    await until('finalized', async () => (await outbox(network.api.db)).at(-1)?.status === 'finalized')
    expect((await outbox(network.api.db)).map(({ status }) => status)).toEqual([
      'observed',
      'safe',
      'finalized',
    ])
    const kept = await network.api.db.sql`select count(*)::int as n from chain_blocks`
    expect(kept[0]?.n).toBeLessThan(80)
  })

  test('rolls back three blocks, and the draft shows again; mined again it is the same item', async () => {
    network.startWorker()
    await network.draftTransformation('kept', owner)
    await network.draftTransformation('lost', owner, 'return x * args[0];')
    await network.publish('transformation', 'kept', owner)
    const prepared = await network.prepare('transformation', 'lost', owner)
    const raw = await sendPrepared('lost', prepared)
    await mine(2)
    const published = (await network.api.send('GET', '/transformation/lost')).json
    expect(published).toMatchObject({ address: prepared.address })
    const block = await network.chain.publicClient.getBlockNumber({ cacheTime: 0 })
    await waitForProjection(network.api.services, { block })

    await network.chain.rpc('anvil_reorg', [3, []])
    await until('removed', async () => (await outbox(network.api.db)).at(-1)?.status === 'removed')
    expect((await network.api.send('GET', '/transformation/lost')).json).toMatchObject({ address: '0x0' })
    expect((await network.api.send('GET', '/transformation/kept')).json).not.toMatchObject({
      address: '0x0',
    })
    const [account] = await network.api.db.sql`select published from accounts`
    expect(account).toEqual({ published: 1 })
    const [record] = await network.api.db.sql`select stage from publications where name = 'lost'`
    expect(record).toEqual({ stage: 'pending' })
    const { reorganisations } = await readFeedStatus(network.api.services)
    expect(reorganisations).toMatchObject({ count: 1, deepest: 3, last: { depth: 3 } })
    await expectEqualToFreshIndex(network)

    await network.chain.publicClient.sendRawTransaction({ serializedTransaction: raw })
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'lost' })
    const deltas = await outbox(network.api.db)
    expect(deltas.slice(-3)).toMatchObject([
      { name: 'lost', status: 'observed' },
      { name: 'lost', status: 'removed' },
      { name: 'lost', status: 'observed' },
    ])
    expect(deltas.map(({ seq }) => seq)).toEqual(deltas.map((_, i) => i + 1))
    const items = await network.api.db.sql`select visible from feed_items where name = 'lost'`
    expect(items).toEqual([{ visible: true }])
    await expectEqualToFreshIndex(network)
  })

  test('recovers from a lost database session and from a chain outage', async () => {
    network.startWorker()
    await network.draftTransformation('one', owner)
    await network.draftTransformation('two', owner)
    await network.publish('transformation', 'one', owner)
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'one' })
    const cut = await network.api.db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'weft-worker' and datname = current_database()`
    expect(cut).toHaveLength(1)
    await network.publish('transformation', 'two', owner)
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'two' })
    expect((await outbox(network.api.db)).map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('stops within its timeout, also while the chain hangs', async () => {
    const { stop } = network.startWorker()
    await until('started', async () => (await network.api.db.sql`select 1 from worker_state`).length === 1)
    network.chain.rpc('anvil_mine', ['0x2']).catch(() => {})
    await stop()
  })

  test('refuses a database of another registry', async () => {
    const first = network.startWorker()
    await until('started', async () => (await network.api.db.sql`select 1 from worker_state`).length === 1)
    await first.stop()
    await network.api.db.sql`update worker_state set registry = '0x1234'`
    const ending = new AbortController()
    const { done } = startIndexer(network.api.services, { signal: ending.signal })
    await expect(done).rejects.toBeInstanceOf(WrongRegistry)
  })
})

describe('everything from the chain', () => {
  /** EVM code that calls the registry with memory from 0; `size` is the code that pushes how much. */
  const callRegistry = (size: string) => `60006000${size}6000600073${network.chain.registry.slice(2)}5af100`
  /** Calls the registry with data that lies in the code of another contract: no transaction shows it. */
  const hidden = (source: Hex, bytes: number): Hex => {
    const size = `62${bytes.toString(16).padStart(6, '0')}`
    return `0x${size}6001600073${source.slice(2)}3c${callRegistry(size)}`
  }
  /** Calls the registry with its own calldata but for the first seven bytes. */
  const wrapping = (): Hex => `0x600736036007600037${callRegistry('60073603')}`

  const publishSigned = async (name: string, kind: 'transformation' | 'connector', hide: boolean) => {
    const prepared = await network.prepare(kind, name, owner)
    const { publication } = decodePublish(prepared.transaction.data)!
    const signature = await signPublication(owner, publication, {
      address: network.chain.registry,
      chainId: network.chain.chainId,
    })
    const data = encodePublish(publication, signature)
    const at: Hex = '0x00000000000000000000000000000000000f0001'
    const source: Hex = '0x00000000000000000000000000000000000f0002'
    if (hide) await network.chain.rpc('anvil_setCode', [source, `0x00${data.slice(2)}`])
    const code = hide ? hidden(source, (data.length - 2) / 2) : wrapping()
    await network.chain.rpc('anvil_setCode', [at, code])
    const hash = await network.chain.wallet(3).sendTransaction({
      to: at,
      data: hide ? '0x' : `0x01020304050607${data.slice(2)}`,
      gas: 8_000_000n,
    })
    const receipt = await network.chain.publicClient.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    await waitForProjection(network.api.services, { kind, name })
  }

  for (const hide of [false, true]) {
    test(`rebuilds what was published through another contract, ${hide ? 'with nothing in the calldata' : 'from inside the calldata'}`, async () => {
      network.startWorker()
      await network.draftTransformation('add', owner)
      await publishSigned('add', 'transformation', hide)
      await network.draftConnector('pitch', ['add'], owner)
      await publishSigned('pitch', 'connector', hide)
      const fresh = await startNetwork({ chain: network.chain })
      try {
        fresh.startWorker()
        await waitForProjection(fresh.api.services, { kind: 'connector', name: 'pitch' })
        const { artifacts } = await projection(fresh.api.db)
        expect(artifacts.map(({ name }) => name).toSorted()).toEqual(['add', 'pitch'])
        const run = { connector_name: 'pitch', particles_count: 3 }
        const answer = await fresh.post('/simulate', run)
        expect(answer).toMatchObject({ status: 200, json: [{ path: '/pitch:0', data: [0, 1, 2] }] })
      } finally {
        await fresh.close()
      }
    })
  }
})
