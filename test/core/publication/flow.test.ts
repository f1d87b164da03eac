import { getAddress, keccak256, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  decodePublish,
  encodePublish,
  encodePublishBatch,
  NO_METADATA,
} from '#lib/chain/publication-calldata.ts'
import { prepare as prepareVerb } from '#lib/core/entities/publication/prepare.ts'
import { type PublicationKey, recordStage } from '#lib/core/entities/publication/records.ts'
import { encodeAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { messageOf } from '#test/support/api.ts'
import { contextOf } from '#test/support/context.ts'
import { lower } from '#test/support/lower.ts'
import { signPublication } from '#test/support/sign-publication.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import { devAccount, type Network, signPrepared, startNetwork } from './network.ts'
import type { PreparedWire } from './sign-prepared.ts'

const alice = devAccount(0)
const bob = devAccount(1)

let network: Network

beforeAll(async () => {
  network = await startNetwork()
  network.startWorker()
})
afterAll(() => network?.close())

describe('POST_publishPrepare', () => {
  beforeAll(async () => {
    await network.draftTransformation('add', alice)
  })
  const prepare = (kind: string, name: string, account = alice, relay?: boolean) =>
    network.post(`/publish/${kind}/prepare`, { name, ...(relay !== undefined && { relay }) }, account)

  test('200: a transaction in Ethereum’s own spelling; `signing` only with relay', async () => {
    const answer = await prepare('transformation', 'add')
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ status: 'prepared', kind: 'transformation', name: 'add' })
    expect(answer.json).not.toHaveProperty('signing')
    const prepared = await network.prepare('transformation', 'add', alice)
    expect(prepared.transaction).toMatchObject({
      from: lower(alice.address),
      to: getAddress(network.chain.registry),
      chainId: '0x7a69',
    })
    expect(prepared.signing).toMatchObject({ type: '0x2', value: '0x0' })
    const { maxFeePerGas, maxPriorityFeePerGas } = prepared.signing!
    expect(BigInt(maxPriorityFeePerGas)).toBeLessThanOrEqual(BigInt(maxFeePerGas))
    const left = prepared.deadline - Date.now() / 1000
    expect(left).toBeGreaterThan(3500)
    expect(left).toBeLessThan(3700)
    const { publication, signature } = decodePublish(prepared.transaction.data)!
    expect(signature).toBe('0x')
    expect(publication).toMatchObject({
      name: 'add',
      owner: lower(alice.address),
      contentHash: prepared.content_hash,
      nonce: BigInt(prepared.publication_nonce),
      deadline: BigInt(prepared.deadline),
    })
  })

  test('200: repeated, also concurrently, it returns the same', async () => {
    const first = await network.prepare('transformation', 'add', alice)
    const again = await Promise.all([1, 2, 3, 4].map(() => network.prepare('transformation', 'add', alice)))
    for (const answer of again) expect(answer).toEqual(first)
  })

  test('200: a preparation near its deadline is renewed', async () => {
    const first = await network.prepare('transformation', 'add', alice)
    network.api.advance(50 * 60_000)
    try {
      const renewed = await network.prepare('transformation', 'add', alice)
      expect(renewed.deadline).toBeGreaterThan(first.deadline)
      expect(renewed.content_hash).toBe(first.content_hash)
    } finally {
      network.api.advance(-50 * 60_000)
    }
  })

  test('409: connector dependencies missing, then mismatched, then none', async () => {
    await network.draftTransformation('step', alice)
    await network.draftTransformation('hop', alice)
    await network.draftConnector('walk', ['step', 'hop', 'step'], alice)
    const missing = await prepare('connector', 'walk')
    expect(missing.status).toBe(409)
    expect(missing.json).toMatchObject({ missing: ['transformation/step', 'transformation/hop'] })
    expect(missing.json).not.toHaveProperty('mismatched')

    await network.publish('transformation', 'hop', alice)
    await network.draftTransformation('step', alice, 'return x - args[0];')
    await network.publish('transformation', 'step', alice)
    const mismatched = await prepare('connector', 'walk')
    expect(mismatched.status).toBe(409)
    expect(mismatched.json).toMatchObject({ mismatched: ['transformation/step'] })
    expect(mismatched.json).not.toHaveProperty('missing')

    await waitForProjection(network.api.services, { kind: 'transformation', name: 'step' })
    await network.draftConnector('walk', ['step', 'hop', 'step'], alice)
    expect((await prepare('connector', 'walk')).status).toBe(200)
    await network.publish('connector', 'walk', alice)
  })

  test('200 published, with nothing to send; 403 for others', async () => {
    await network.publish('transformation', 'add', alice)
    const answer = await prepare('transformation', 'add')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      status: 'published',
      kind: 'transformation',
      name: 'add',
      address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
      owner: lower(alice.address),
      content_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect((await prepare('transformation', 'add', bob)).status).toBe(403)
  })

  test('503: the chain does not answer. 403 before anything else when publication is disabled', async () => {
    const down = await startNetwork({ chain: network.chain, config: { chainRpcUrl: 'http://127.0.0.1:1' } })
    const off = await startNetwork({ chain: network.chain, config: { publicationEnabled: false } })
    const none = await startNetwork({ chain: network.chain, config: { chainRpcUrl: undefined } })
    try {
      await none.draftTransformation('lost', alice)
      await none.api.db
        .sql`insert into publications (kind, name, owner, content_hash, stage, address, calldata, gas,
        publication_nonce, deadline) values ('transformation', 'lost', ${lower(alice.address)}, ${zeroHash}, 'prepared', '0x',
        '0x', 0, 0, 0)`
      for (const path of [
        'transformation/prepare',
        'transformation/send',
        'transformation',
        'nonsense/prepare',
      ]) {
        expect((await off.post(`/publish/${path}`, { nonsense: true })).status).toBe(403)
        expect((await none.post(`/publish/${path}`, { nonsense: true })).status).toBe(503)
      }
      const confirmation = { name: 'lost', content_hash: zeroHash, tx_hash: zeroHash }
      expect((await down.post('/publish/transformation', confirmation, alice)).status).toBe(503)
    } finally {
      await Promise.all([down.close(), off.close(), none.close()])
    }
  })
})

describe('a publication from draft to entity', () => {
  test('relayed: prepare, send, confirm; then the reads serve it with its address', async () => {
    await network.draftTransformation('relayed', alice)
    const prepared = await network.prepare('transformation', 'relayed', alice)
    const mined = await network.publish('transformation', 'relayed', alice)
    expect(mined).toMatchObject({
      status: 'mined',
      kind: 'transformation',
      name: 'relayed',
      address: prepared.address,
      owner: lower(alice.address),
      content_hash: prepared.content_hash,
      block_number: expect.any(Number),
    })
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'relayed' })
    expect((await network.api.send('GET', '/transformation/relayed')).json).toEqual({
      name: 'relayed',
      args_count: 1,
      owner: lower(alice.address).slice(2),
      address: mined.address,
    })
  })

  test('a wallet that speeds its transaction up: the replaced one is answered with what was mined', async () => {
    await network.draftTransformation('faster', bob)
    const { transaction, content_hash } = await network.prepare('transformation', 'faster', bob, false)
    const wallet = network.chain.wallet(1)
    await network.chain.rpc('evm_setAutomine', [false])
    const nonce = await network.chain.publicClient.getTransactionCount({ address: bob.address })
    const request = { to: transaction.to, data: transaction.data, gas: BigInt(transaction.gas), nonce }
    const fee = 10n ** 10n
    const first = await wallet.sendTransaction({
      ...request,
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee / 10n,
    })
    const second = await wallet.sendTransaction({
      ...request,
      maxFeePerGas: fee * 2n,
      maxPriorityFeePerGas: fee,
    })
    await network.chain.rpc('evm_setAutomine', [true])
    await network.chain.rpc('evm_mine')
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'faster' })
    const confirmation = { name: 'faster', content_hash, tx_hash: first }
    const answer = await network.post('/publish/transformation', confirmation, bob)
    expect(answer).toMatchObject({ status: 201, json: { tx_hash: second } })
  })

  test('resumes in another process after losing client or server at any step', async () => {
    await network.draftTransformation('resumed', alice)
    const first = await network.prepare('transformation', 'resumed', alice)
    // Each step runs on new services over the same database, as after a crash; caches are lost.
    const elsewhere = async <T>(run: (other: Network) => Promise<T>): Promise<T> => {
      const other = await startNetwork({ chain: network.chain, parts: { db: network.api.services.db } })
      try {
        return await run(other)
      } finally {
        await other.close()
      }
    }
    const again = await elsewhere((other) => other.prepare('transformation', 'resumed', alice))
    expect(again).toEqual(first)
    const raw_tx = await signPrepared(again, alice)
    const body = { name: 'resumed', content_hash: again.content_hash }
    await network.chain.rpc('evm_setAutomine', [false])
    const sent = await elsewhere((o) => o.post('/publish/transformation/send', { ...body, raw_tx }, alice))
    expect(sent.status).toBe(202)
    const { tx_hash } = sent.json as { tx_hash: string }
    const repeated = await elsewhere((o) =>
      o.post('/publish/transformation/send', { ...body, raw_tx }, alice),
    )
    expect(repeated).toMatchObject({ status: 202, json: sent.json })
    const pending = await elsewhere((o) => o.post('/publish/transformation', { ...body, tx_hash }, alice))
    expect(pending).toMatchObject({ status: 202, json: { status: 'pending', tx_hash } })
    await network.chain.rpc('evm_setAutomine', [true])
    await network.chain.rpc('evm_mine')
    for (let i = 0; i < 2; i++) {
      const mined = await elsewhere((o) => o.post('/publish/transformation', { ...body, tx_hash }, alice))
      expect(mined.status).toBe(201)
    }
    const done = await elsewhere((o) => o.post('/publish/transformation/prepare', { name: 'resumed' }, alice))
    expect(done.json).toMatchObject({ status: 'published' })
    const [record] = await network.api.db.sql`select stage, tx_hash from publications where name = 'resumed'`
    expect(record).toEqual({ stage: 'mined', tx_hash })
  })

  test('what the worker has read from the chain is not under way again', async () => {
    await network.draftTransformation('overtaken', alice)
    const prepared = await network.prepare('transformation', 'overtaken', alice)
    const raw_tx = await signPrepared(prepared, alice)
    const { content_hash } = prepared
    await network.post('/publish/transformation/send', { name: 'overtaken', content_hash, raw_tx }, alice)
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'overtaken' })
    // As `send` does when it comes to it only now.
    const key = {
      kind: 'transformation',
      name: 'overtaken',
      owner: lower(alice.address),
      contentHash: content_hash,
    }
    await recordStage(network.api.services, key as PublicationKey, {
      stage: 'pending',
      txHash: keccak256(raw_tx),
    })
    const [record] = await network.api.db.sql`select stage from publications where name = 'overtaken'`
    expect(record).toEqual({ stage: 'mined' })
  })

  test('a third party submits with the owner’s EIP-712 signature, and it is the owner’s entity', async () => {
    await network.draftTransformation('signed', alice)
    const prepared = await network.prepare('transformation', 'signed', alice)
    const { publication } = decodePublish(prepared.transaction.data)!
    const signature = await signPublication(alice, publication, {
      address: network.chain.registry,
      chainId: network.chain.chainId,
    })
    const tx_hash = await network.chain.wallet(2).sendTransaction({
      to: network.chain.registry,
      data: encodePublish(publication, signature),
    })
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'signed' })
    const confirmation = { name: 'signed', content_hash: prepared.content_hash, tx_hash }
    expect((await network.post('/publish/transformation', confirmation, alice)).status).toBe(201)
    const account = await network.api.send('GET', `/account/${lower(alice.address).slice(2)}?limit=256`)
    expect(account.json).toMatchObject({ owned_transformations: expect.arrayContaining(['signed']) })
  })

  test('a wallet sends several in one transaction, and each is confirmed as its own', async () => {
    const names = ['batched', 'batched_too', 'not_batched', 'batched_otherwise'] as const
    for (const name of names) await network.draftTransformation(name, alice)
    const prepared = new Map<string, PreparedWire>()
    for (const name of names) prepared.set(name, await network.prepare('transformation', name, alice))
    const { publication_nonce, content_hash } = prepared.get('batched')!
    const published = ['batched', 'batched_too', 'batched_otherwise'].map((name, i) => ({
      ...decodePublish(prepared.get(name)!.transaction.data)!.publication,
      nonce: BigInt(publication_nonce + i),
      // Words that the prepared publication does not carry.
      metadata: name === 'batched_otherwise' ? ('0x7b7d' as const) : NO_METADATA,
    }))
    const tx_hash = await network.chain.wallet(0).sendTransaction({
      to: network.chain.registry,
      data: encodePublishBatch(published),
    })
    const confirm = (name: string, hash = prepared.get(name)!.content_hash) =>
      network.post('/publish/transformation', { name, content_hash: hash, tx_hash }, alice)
    await waitForProjection(network.api.services, { kind: 'transformation', name: 'batched_too' })
    for (const name of ['batched', 'batched_too']) {
      const { address } = prepared.get(name)!
      expect(await confirm(name)).toMatchObject({ status: 201, json: { name, address, tx_hash } })
    }
    const refusals = [
      [await confirm('not_batched'), /something else/],
      [await confirm('batched_too', content_hash), /another content hash/],
      [await confirm('batched_otherwise'), /another metadata hash/],
    ] as const
    for (const [answer, text] of refusals) {
      expect(answer.status).toBe(400)
      expect(messageOf(answer)).toMatch(text)
    }
  })

  test('the author’s words travel with the publication; the chain API prepares none', async () => {
    await network.draftTransformation('worded', alice)
    const metadata = encodeAuthorMetadata({ description: 'Adds one.', licence: 'CC0-1.0' })
    const ctx = contextOf(network.api.services, lower(alice.address))
    const calldata = async (words?: Hex) => {
      const request = { kind: 'transformation', name: 'worded', relay: false } as const
      const answer = await prepareVerb(ctx, { ...request, ...(words && { metadata: words }) })
      if (answer.status !== 'prepared') throw new Error('published already')
      return answer.data
    }
    expect(decodePublish(await calldata())?.publication.metadata).toBe(NO_METADATA)
    const worded = await calldata(metadata)
    expect(decodePublish(worded)?.publication.metadata).toBe(metadata)
    expect(await calldata(metadata)).toBe(worded)
    const { transaction } = await network.prepare('transformation', 'worded', alice)
    expect(decodePublish(transaction.data)?.publication.metadata).toBe(NO_METADATA)
  })

  test('two owners race for one name: exactly one wins, and the other gets an error', async () => {
    const other = await startNetwork({ chain: network.chain })
    try {
      const sides = [
        { by: network, account: alice },
        { by: other, account: bob },
      ]
      const prepared: PreparedWire[] = []
      for (const { by, account } of sides) {
        await by.draftTransformation('race', account)
        prepared.push(await by.prepare('transformation', 'race', account))
      }
      await network.chain.rpc('evm_setAutomine', [false])
      const hashes: string[] = []
      for (const [i, { by, account }] of sides.entries()) {
        const { content_hash } = prepared[i]!
        const raw_tx = await signPrepared(prepared[i]!, account)
        const sent = await by.post(
          '/publish/transformation/send',
          { name: 'race', content_hash, raw_tx },
          account,
        )
        hashes.push((sent.json as { tx_hash: string }).tx_hash)
      }
      await network.chain.rpc('evm_setAutomine', [true])
      await network.chain.rpc('evm_mine')
      const outcomes = await Promise.all(
        sides.map(({ by, account }, i) => {
          const { content_hash } = prepared[i]!
          return by.post(
            '/publish/transformation',
            { name: 'race', content_hash, tx_hash: hashes[i] },
            account,
          )
        }),
      )
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual([201, 409])
      const lost = outcomes.findIndex(({ status }) => status === 409)
      expect(messageOf(outcomes[lost]!)).toMatch(/something else under the transformation name race/)
      const { by, account } = sides[lost]!
      const late = await by.post('/publish/transformation/prepare', { name: 'race' }, account)
      expect([403, 409]).toContain(late.status)
    } finally {
      await other.close()
    }
  })
})
