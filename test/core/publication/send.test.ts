import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  decodePublish,
  encodePublish,
  encodePublishBatch,
  type Publication,
} from '#lib/chain/publication-calldata.ts'
import { messageOf } from '#test/support/api.ts'
import { devAccount, type Network, type PreparedWire, signPrepared, startNetwork } from './network.ts'

const owner = devAccount(0)
const stranger = devAccount(1)
const NAME = 'refused'

let network: Network
let prepared: PreparedWire
let pendingBefore: number

beforeAll(async () => {
  network = await startNetwork()
  await network.draftTransformation(NAME, owner)
  await network.draftTransformation('other', owner)
  prepared = await network.prepare('transformation', NAME, owner)
  pendingBefore = await pendingNonce()
})
afterAll(() => network?.close())

function pendingNonce() {
  return network.chain.publicClient.getTransactionCount({ address: owner.address, blockTag: 'pending' })
}

function send(raw_tx: string, change: object = {}, kind = 'transformation', account = owner) {
  return network.post(
    `/publish/${kind}/send`,
    { name: NAME, content_hash: prepared.content_hash, raw_tx, ...change },
    account,
  )
}

/** Calldata of the prepared publication with something changed. */
function altered(change: Partial<Publication>, signature: Hex = '0x'): Hex {
  const { publication } = decodePublish(prepared.transaction.data)!
  return encodePublish({ ...publication, ...change }, signature)
}
function sign(change: Parameters<typeof signPrepared>[2] = {}) {
  return signPrepared(prepared, owner, change)
}
function flip(hex: Hex): Hex {
  return `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}` as Hex
}

interface Refusal {
  readonly raw: () => Promise<string> | string
  readonly status?: number
  readonly message: RegExp
  readonly body?: object
  readonly kind?: string
}

const refusals: Record<string, Refusal> = {
  'empty text': { raw: () => '', message: /hex/ },
  'malformed RLP': { raw: () => '0x02f8', message: /RLP/ },
  'a foreign signer': { raw: () => signPrepared(prepared, stranger), status: 403, message: /signed by/ },
  'the wrong chain': { raw: () => sign({ chainId: 1 }), message: /for chain 1/ },
  'the wrong receiver': {
    raw: () => sign({ to: stranger.address.toLowerCase() as Hex }),
    message: /not the registry/,
  },
  'a value': { raw: () => sign({ value: 1n }), message: /value zero/ },
  'another selector': {
    raw: () => sign({ data: `0xdeadbeef${prepared.transaction.data.slice(10)}` }),
    message: /does not call publish/,
  },
  'a batch, also of it alone': {
    raw: () => sign({ data: encodePublishBatch([decodePublish(prepared.transaction.data)!.publication]) }),
    message: /does not call publish/,
  },
  'no calldata': { raw: () => sign({ data: '0x' }), message: /does not call publish/ },
  'calldata with something after it': {
    raw: () => sign({ data: `${prepared.transaction.data}00` }),
    message: /plain encoding/,
  },
  'an owner signature': {
    raw: () => sign({ data: altered({}, `0x${'11'.repeat(65)}`) }),
    message: /owner signature/,
  },
  'another name': { raw: () => sign({ data: altered({ name: 'other' }) }), message: /another name/ },
  'another kind': {
    raw: () => sign({ data: altered({ kind: 'condition' }) }),
    message: /publishes a condition/,
  },
  'another owner': {
    raw: () => sign({ data: altered({ owner: stranger.address.toLowerCase() as Hex }) }),
    message: /another owner/,
  },
  'another content hash': {
    raw: () => sign({ data: altered({ contentHash: `0x${'12'.repeat(32)}` }) }),
    message: /another content hash/,
  },
  'a content hash in the request that was never prepared': {
    raw: () => sign({ data: altered({ contentHash: `0x${'12'.repeat(32)}` }) }),
    body: { content_hash: `0x${'12'.repeat(32)}` },
    message: /not prepared/,
  },
  'other metadata': {
    raw: () => sign({ data: altered({ metadata: '0x7b7d' }) }),
    message: /other metadata/,
  },
  'another payload': {
    raw: () =>
      sign({
        data: altered({ payload: flip(decodePublish(prepared.transaction.data)!.publication.payload) }),
      }),
    message: /payload/,
  },
  'the name of the request is another': {
    raw: () => sign(),
    body: { name: 'other' },
    message: /another name/,
  },
  'the kind of the path is another': { raw: () => sign(), kind: 'condition', message: /not a condition/ },
  'a deadline in the past': { raw: () => sign({ data: altered({ deadline: 1n }) }), message: /deadline/ },
  'a publication nonce too low or too high': {
    raw: () => sign({ data: altered({ nonce: BigInt(prepared.publication_nonce) + 1n }) }),
    message: /Publication nonce/,
  },
  'an account nonce that leaves a gap': {
    raw: () => sign({ nonce: Number(prepared.signing!.nonce) + 1 }),
    message: /gap/,
  },
  'gas below the cost of the calldata': { raw: () => sign({ gas: 21_000n }), message: /Too little gas/ },
  'gas that runs out in the dry run': {
    raw: () => sign({ gas: (BigInt(prepared.transaction.gas) * 6n) / 10n }),
    message: /Too little gas|would revert/,
  },
  'gas beyond a block': { raw: () => sign({ gas: 1n << 40n }), message: /exceeds that of a block/ },
  'a fee below the base fee': {
    raw: () => sign({ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }),
    message: /base fee/,
  },
  'more than the account holds': {
    raw: () => sign({ maxFeePerGas: 10n ** 24n }),
    message: /Insufficient funds/,
  },
}

describe('POST_publishSend refuses', () => {
  for (const [what, { raw, status = 400, message, body, kind }] of Object.entries(refusals)) {
    test(`${status}: ${what}`, async () => {
      const answer = await send(await raw(), body, kind)
      expect({ status: answer.status, message: messageOf(answer) }).toEqual({
        status,
        message: expect.stringMatching(message),
      })
      expect(await pendingNonce()).toBe(pendingBefore)
    })
  }

  test('400: a publication that was not prepared here', async () => {
    const other = await startNetwork({ chain: network.chain })
    try {
      const answer = await other.post(
        '/publish/transformation/send',
        { name: NAME, content_hash: prepared.content_hash, raw_tx: await sign() },
        owner,
      )
      expect(answer.status).toBe(400)
      expect(messageOf(answer)).toMatch(/not prepared/)
    } finally {
      await other.close()
    }
  })
})

/** These change the chain, so they come last and in order. */
describe('POST_publishSend on a chain that moved', () => {
  test('409: another transaction with the account nonce is pending', async () => {
    await network.chain.rpc('evm_setAutomine', [false])
    try {
      const hash = await network.chain
        .wallet(0)
        .sendTransaction({ to: stranger.address, value: 1n, nonce: Number(prepared.signing!.nonce) })
      const answer = await send(await sign())
      expect(answer.status).toBe(409)
      expect(messageOf(answer)).toMatch(/pending/)
      await network.chain.rpc('evm_mine')
      await network.chain.publicClient.waitForTransactionReceipt({ hash })
    } finally {
      await network.chain.rpc('evm_setAutomine', [true])
    }
  })

  test('409: the account nonce is used', async () => {
    const answer = await send(await sign())
    expect(answer.status).toBe(409)
    expect(messageOf(answer)).toMatch(/already used/)
  })

  test('202: the honest transaction, again while it is pending, and again after it is mined', async () => {
    prepared = await network.prepare('transformation', NAME, owner)
    const raw = await sign()
    await network.chain.rpc('evm_setAutomine', [false])
    const first = await send(raw)
    expect(first.status).toBe(202)
    expect(await send(raw)).toMatchObject({ status: 202, json: first.json })
    await network.chain.rpc('evm_setAutomine', [true])
    await network.chain.rpc('evm_mine')
    expect(await send(raw)).toMatchObject({ status: 202, json: first.json })
  })

  test('400: the dry run reverts with the registry’s own error', async () => {
    // The name is taken by now; only a fresh publication nonce passes the earlier checks of the dry run.
    const again = altered({ nonce: BigInt(prepared.publication_nonce) + 1n })
    const answer = await send(await sign({ nonce: await pendingNonce(), data: again }))
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toMatch(/TransformationAlreadyRegistered/)
  })
})
