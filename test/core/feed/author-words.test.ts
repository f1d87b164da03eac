import { type Hex, stringToHex } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Compiler } from '#lib/compute/solidity/compiler.ts'
import { findAuthorWords, findPieces } from '#lib/core/entities/author-words.ts'
import { prepare } from '#lib/core/entities/publication/prepare.ts'
import { findRemixes } from '#lib/core/entities/remixes.ts'
import { reindex } from '#lib/core/indexer/reindex/reindex.ts'
import { checkNextSource } from '#lib/core/indexer/source-checks.ts'
import { type AuthorMetadata, encodeAuthorMetadata, type MadeFrom } from '#lib/protocol/author-metadata.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { contextOf } from '#test/support/context.ts'
import { until } from '#test/support/until.ts'
import { devAccount, type Network, startNetwork } from '../publication/network.ts'
import { atHead } from './projection.ts'

const kind = 'transformation'
const alice = devAccount(0)
const bob = devAccount(1)
let network: Network

beforeAll(async () => {
  network = await startNetwork({ slotsInAnEpoch: 32 })
  network.startWorker()
})
afterAll(() => network?.close())

/** Publishes a draft of this body with words, or any bytes in their place. @returns the signed transaction. */
async function publish(
  name: string,
  account: LocalAccount,
  body: string,
  words: AuthorMetadata | Hex,
): Promise<{ readonly raw: Hex; readonly contentHash: Hash }> {
  await network.draftTransformation(name, account, body)
  return publishDraft(kind, name, account, words)
}

async function publishDraft(
  kind: EntityKind,
  name: string,
  account: LocalAccount,
  words: AuthorMetadata | Hex,
): Promise<{ readonly raw: Hex; readonly contentHash: Hash }> {
  const ctx = contextOf(network.api.services, account.address.toLowerCase() as Address)
  const metadata = typeof words === 'string' ? words : encodeAuthorMetadata(words)
  const prepared = await prepare(ctx, { kind, name, relay: true, metadata })
  if (prepared.status !== 'prepared' || !prepared.signing) throw new Error('published already')
  const { chainId, to, data, gas, signing, contentHash } = prepared
  const { nonce, ...fees } = signing
  const raw = await account.signTransaction({
    ...fees,
    chainId,
    to,
    data,
    gas,
    nonce: Number(nonce),
    value: 0n,
  })
  await send(raw)
  return { raw, contentHash }
}

async function send(serializedTransaction: Hex): Promise<void> {
  const { publicClient } = network.chain
  const hash = await publicClient.sendRawTransaction({ serializedTransaction })
  await publicClient.waitForTransactionReceipt({ hash })
}

function caughtUp() {
  return until('at head', () => atHead(network))
}
function origins() {
  return network.api.db.sql`select name, origin_name from entity_origins order by name, origin_name`
}
function checks() {
  return network.api.db.sql`select name, turn, state from source_checks order by block_number`
}
async function differences() {
  const { tables } = await reindex(network.api.services, { replace: false })
  return tables.flatMap((table) => table.differences.map(({ table: of, key }) => `${of} ${key}`))
}

test('origins are stored where the chain held exactly them before, and roll back', async () => {
  const first = await publish('first', alice, 'return x + 1;', { licence: 'MIT' })
  const origin: MadeFrom = { kind, name: 'first', contentHash: first.contentHash }
  const madeFrom = [
    origin,
    { ...origin, name: 'later' },
    { ...origin, name: 'itself' },
    { ...origin, kind: 'connector' as const },
  ]
  const made = await publish('itself', bob, 'return x + 2;', { madeFrom })
  await publish('wrong', bob, 'return x + 3;', { madeFrom: [{ ...origin, contentHash: made.contentHash }] })
  await publish('later', alice, 'return x + 4;', {
    madeFrom: [{ ...origin, name: 'itself', contentHash: made.contentHash }],
  })
  await caughtUp()
  const all = [
    { name: 'itself', origin_name: 'first' },
    { name: 'later', origin_name: 'itself' },
  ]
  expect(await origins()).toEqual(all)

  const last = await publish('gone', bob, 'return x + 5;', { madeFrom: [origin], source: 'return x + 5;' })
  await caughtUp()
  expect(await origins()).toEqual([{ name: 'gone', origin_name: 'first' }, ...all])
  expect(await checks()).toMatchObject([{ name: 'gone', turn: 0 }])
  await network.chain.rpc('anvil_rollback', [1])
  await network.chain.rpc('anvil_mine', ['0x2'])
  await caughtUp()
  expect([await origins(), await checks()]).toEqual([all, []])
  await send(last.raw)
  await caughtUp()
  const by = (account: LocalAccount) => account.address.toLowerCase()
  const leaf = { kind, next: [], more: false }
  const {
    madeFrom: above,
    remixedBy,
    count,
  } = await findRemixes(network.api.services, { kind, name: 'first' })
  expect({ above, count }).toEqual({ above: { next: [], more: false }, count: 2 })
  expect(remixedBy).toEqual({
    more: false,
    next: [
      { ...leaf, name: 'gone', owner: by(bob) },
      { ...leaf, name: 'itself', owner: by(bob), next: [{ ...leaf, name: 'later', owner: by(alice) }] },
    ],
  })
  expect((await findRemixes(network.api.services, { kind, name: 'later' })).madeFrom.next).toEqual([
    { ...leaf, name: 'itself', owner: by(bob), next: [{ ...leaf, name: 'first', owner: by(alice) }] },
  ])
  const words = (name: string) => findAuthorWords(network.api.services, kind, name)
  expect(await words('first')).toEqual({ licence: 'MIT', sourceState: 'open' })
  expect(await words('gone')).toEqual({ source: 'return x + 5;', sourceState: 'open' })
  expect(await words('nobody')).toBeUndefined()
  expect(await origins()).toEqual([{ name: 'gone', origin_name: 'first' }, ...all])
  expect(await differences()).toEqual([])
})

test('sources are checked in turns of their owners, and only true ones are verified', async () => {
  await publish('many_0', bob, 'return x + 10;', { source: 'return x + 10;' })
  await publish('many_1', bob, 'return x + 11;', { source: 'return x + 10;' })
  await publish('many_2', bob, 'return x + 12;', { source: 'return x; } } contract E {' })
  await publish('many_3', bob, 'return x + 13;', stringToHex('{"source":7}'))
  await publish('own', alice, 'return x + 14;', { source: 'return x + 14; // the same code' })
  await caughtUp()
  const compiled: string[] = []
  const compiler: Compiler = {
    ...network.api.services.compiler,
    inspect: (of, body, signal) => {
      compiled.push(body)
      return network.api.services.compiler.inspect(of, body, signal)
    },
  }
  while (await checkNextSource(network.api.db.sql, compiler));
  // `gone` of the test before was the first of its owner.
  expect(compiled).toEqual([
    'return x + 5;',
    'return x + 14; // the same code',
    'return x + 10;',
    'return x + 10;',
    'return x; } } contract E {',
  ])
  expect(await checks()).toEqual([
    { name: 'gone', turn: 0, state: 'verified' },
    { name: 'many_0', turn: 1, state: 'verified' },
    { name: 'many_1', turn: 2, state: 'different' },
    { name: 'many_2', turn: 3, state: 'different' },
    { name: 'own', turn: 0, state: 'verified' },
  ])
  expect(await differences()).toEqual([])
})

test('a source that breaks the compiler does not hold up the others', async () => {
  await publish('breaks', bob, 'return x + 20;', { source: 'return x + 20;' })
  await publish('waits', bob, 'return x + 21;', { source: 'return x + 21;' })
  await caughtUp()
  const { compiler } = network.api.services
  const breaking: Compiler = {
    ...compiler,
    inspect: (of, body) =>
      body.includes('20') ? Promise.reject(new Error('broken')) : compiler.inspect(of, body),
  }
  while (await checkNextSource(network.api.db.sql, breaking));
  expect((await checks()).slice(-2)).toMatchObject([
    { name: 'breaks', state: 'different' },
    { name: 'waits', state: 'verified' },
  ])
})

test('sources that take the whole time of the compiler wait for those that take little', async () => {
  const slow = 'return x + 30;'
  await publish('slow_0', bob, slow, { source: slow })
  await publish('slow_1', bob, 'return x + 31;', { source: 'return x + 31;' })
  await publish('honest', alice, 'return x + 32;', { source: 'return x + 32;' })
  await caughtUp()
  const { compiler } = network.api.services
  const compiled: string[] = []
  const recording = (as: string, isOut: (body: string) => boolean): Compiler => ({
    ...compiler,
    inspect: async (of, body) => {
      compiled.push(`${as} ${body.slice(-3, -1)}`)
      return isOut(body)
        ? { status: 'refused', reason: 'too long', limit: 'time' }
        : compiler.inspect(of, body)
    },
  })
  const quick = recording('quick', (body) => body === slow)
  const patient = recording('patient', () => false)
  const deferred = new Set<string>()
  while (await checkNextSource(network.api.db.sql, patient, { quick, deferred }));
  expect(compiled).toEqual(['quick 32', 'quick 30', 'patient 30', 'patient 31'])
  expect(
    (await checks()).filter(({ name }) => /^(slow|honest)/.test(name)).map(({ state }) => state),
  ).toEqual(Array(3).fill('verified'))
})

test('title and presentation of a connector are stored as published, and roll back; others have none', async () => {
  const present = {
    knobs: [{ at: 'nobody:call/9/9/9', max: 7, min: 1, name: 'outside' }],
    loop: true,
    particles: 64,
    tempo: 368,
    world: { bundle_hash: 'ab'.repeat(32), slug: 'nowhere' },
  }
  const title = 'É\u0301tude \u0301\u0301 in  the RAIN'
  await publish('step_40', bob, 'return x + 40 * args[0];', { title, present })
  await network.draftConnector('tune', ['step_40'], bob)
  const description = 'Three in eight: the Tresillo.'
  const last = await publishDraft('connector', 'tune', bob, {
    description,
    title,
    present,
    source: 'ignored',
  })
  await caughtUp()
  const pieces = async () => [...(await findPieces(network.api.services, ['tune', 'step_40', 'nobody']))]
  const search = () =>
    network.api.db
      .sql`select name, search_title, search_words from entities where title is not null or presentation is not null`
  const stored = [['tune', { title, present }]]
  expect(await pieces()).toEqual(stored)
  expect(await search()).toEqual([
    {
      name: 'tune',
      search_title: 'é\u0301tude \u0301\u0301 in the rain',
      search_words: ' three in eight the tresillo',
    },
  ])
  expect(await findAuthorWords(network.api.services, 'connector', 'tune')).toEqual({
    description,
    title,
    present,
    sourceState: 'open',
  })
  expect(await findAuthorWords(network.api.services, kind, 'step_40')).toEqual({ sourceState: 'open' })
  expect(await differences()).toEqual([])

  await network.api.db
    .sql`update entities set title = null, presentation = null, search_words = null where name = 'tune'`
  expect(await differences()).toEqual(['entities connector/tune'])
  await reindex(network.api.services, { replace: true })
  expect(await pieces()).toEqual(stored)

  await network.chain.rpc('anvil_rollback', [1])
  await network.chain.rpc('anvil_mine', ['0x2'])
  await caughtUp()
  expect(await pieces()).toEqual([])
  await send(last.raw)
  await caughtUp()
  expect(await pieces()).toEqual(stored)
})
