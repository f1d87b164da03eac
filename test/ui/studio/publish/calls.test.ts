import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { itemKey, openItems } from '#lib/ui/studio/publish/plan.ts'
import { readBatches } from '#lib/ui/wallet/connect/batches.ts'
import { type Network, startNetwork } from '#test/core/publication/network.ts'
import { type Browser, Killed, newBrowser, runAndAnswer, stages } from './browser.ts'

/* A plan as one batch of calls (EIP-5792), by wallets that answer well and by wallets that lie. */

let network: Network
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network?.close())

type Answers = Readonly<Record<string, (params: readonly unknown[], honest: Honest) => unknown>>
type Honest = (method: string, params: readonly unknown[]) => Promise<unknown>

interface SentCalls {
  readonly version: string
  readonly id: Hex
  readonly from: Address
  readonly chainId: Hex
  readonly atomicRequired: boolean
  readonly calls: readonly { readonly to: Address; readonly data: Hex; readonly value: Hex }[]
  readonly capabilities?: unknown
}

/** A browser whose wallet takes batches and really sends them. @param answers Methods that it answers otherwise. */
async function batchBrowser(answers: Answers = {}): Promise<{ browser: Browser; asked: SentCalls[] }> {
  const browser = await newBrowser(network, true)
  const asked: SentCalls[] = []
  const sent = new Map<string, Hash>()
  const honest: Honest = async (method, params) => {
    switch (method) {
      case 'wallet_getCapabilities':
        return { '0x7a69': { atomic: { status: 'supported' } } }
      case 'eth_getCode':
        return '0xef0100'
      case 'wallet_sendCalls': {
        const { id, calls } = params[0] as SentCalls
        if (sent.has(id)) throw coded(5720)
        browser.asked++
        for (const call of calls) {
          const hash = await browser.sendCall(call)
          // The publisher asks a silent wallet three times only: the chain has it by then.
          await network.chain.publicClient.waitForTransactionReceipt({ hash })
          sent.set(id, hash)
        }
        return { id }
      }
      case 'wallet_getCallsStatus': {
        const hash = sent.get(String(params[0]))
        if (hash === undefined) throw coded(5730)
        return { version: '2.0.0', status: 200, atomic: true, receipts: [{ transactionHash: hash }] }
      }
      default:
        throw coded(4200)
    }
  }
  browser.provider = async (method, params) => {
    if (method === 'wallet_sendCalls') asked.push(params[0] as SentCalls)
    return answers[method] === undefined ? honest(method, params) : answers[method](params, honest)
  }
  return { browser, asked }
}

function coded(code: number): Error {
  return Object.assign(new Error(`error ${code}`), { code })
}

test('the plan is one prompt, one call of the registry, and one transaction', async () => {
  const { browser, asked } = await batchBrowser()
  const items = await browser.items()
  const publisher = browser.visit()
  await publisher.run(items)
  expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
  expect([browser.asked, await browser.transactions(), await browser.published()]).toEqual([1, 1, 3])
  const [batch] = asked
  expect(batch).toMatchObject({
    version: '2.0.0',
    from: browser.account,
    chainId: '0x7a69',
    id: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    calls: [{ to: network.chain.registry, value: '0x0' }],
  })
  expect(batch?.capabilities).toBeUndefined()
})

test.each([
  'after prepare',
  'before put asking',
  'before confirm',
  'after confirm',
  'after put sent',
  'after put mined',
])('a page that goes away %s: the next visit finishes, nothing is sent twice', async (moment) => {
  const { browser } = await batchBrowser()
  let passed = 0
  const interrupted = browser.visit((step) => {
    // Of records, between the first and the second.
    if (step === moment && passed++ === (moment.includes('put') ? 1 : 0)) throw new Killed()
  })
  await runAndAnswer(browser, interrupted)
  await runAndAnswer(browser, browser.visit())
  await runAndAnswer(browser, browser.visit())
  expect(await browser.published()).toBe(3)
  expect(await browser.transactions()).toBe(1)
})

test('a page that goes away while the prompt is open finds the batch by its own id', async () => {
  const { browser } = await batchBrowser({
    wallet_sendCalls: async (params, honest) => {
      await honest('wallet_sendCalls', params)
      return new Promise(() => undefined)
    },
  })
  void browser.visit().run(await browser.items())
  await expect.poll(() => browser.transactions()).toBe(1)
  browser.locked = false
  const publisher = browser.visit()
  const items = await browser.items()
  await publisher.recall(items)
  await publisher.run(openItems({ items }))
  expect(await browser.published()).toBe(3)
  expect(browser.asked).toBe(1)
})

/** A wallet that sends, and then answers otherwise. */
function afterSending(answer: () => unknown): Answers {
  return {
    wallet_sendCalls: async (params, honest) => {
      await honest('wallet_sendCalls', params)
      return answer()
    },
  }
}

/** A wallet that says so of every batch. */
function saying(status: unknown): Answers {
  return { wallet_getCallsStatus: () => status }
}

const unsent: Answers = { wallet_sendCalls: (params) => ({ id: (params[0] as SentCalls).id }) }

function failing(code: number): Answers {
  return {
    wallet_sendCalls: () => {
      throw coded(code)
    },
  }
}

describe('a wallet that', () => {
  // What it answers; what is on the chain in the end: all of it, once, and the user is asked nothing.
  test.each<[string, Answers]>([
    [
      'answers with another id',
      {
        ...afterSending(() => ({ id: 'mine' })),
        wallet_getCallsStatus: (params) => {
          if (params[0] !== 'mine') throw coded(5730)
          return { status: 100 }
        },
      },
    ],
    ['answers without an id', afterSending(() => ({ id: 7 }))],
    ['answers with an id of megabytes', afterSending(() => ({ id: '0'.repeat(3_000_000) }))],
    ['fails after it has sent', afterSending(() => Promise.reject(coded(-32_603)))],
    ['never says what became of it', saying(new Promise(() => undefined))],
    ['answers megabytes', saying('x'.repeat(3_000_000))],
    ['says it reverted, though it did not', saying({ status: 500 })],
    ['says it gave up, though it did not', saying({ status: 400 })],
    ['says only a part is there', saying({ status: 600, receipts: [] })],
    [
      'names a transaction that is not there',
      saying({ status: 200, receipts: [{ transactionHash: `0x${'ab'.repeat(32)}` }] }),
    ],
  ])('%s: the chain decides', async (_, answers) => {
    const { browser } = await batchBrowser(answers)
    const items = await browser.items()
    const publisher = browser.visit()
    expect(await runAndAnswer(browser, publisher)).toEqual([])
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect([browser.asked, await browser.transactions(), await browser.published()]).toEqual([1, 1, 3])
  })

  test.each<[string, Answers, RegExp]>([
    [
      'claims a transaction that it never sent',
      { ...unsent, ...saying({ status: 200, receipts: [{ transactionHash: `0x${'cd'.repeat(32)}` }] }) },
      /says that it is done, and the chain has nothing of it/,
    ],
    [
      'forgets the batch',
      {
        ...unsent,
        wallet_getCallsStatus: () => {
          throw coded(5730)
        },
      },
      /^$/,
    ],
  ])('%s: the user is asked before it is asked again', async (_, answers, trouble) => {
    const { browser, asked } = await batchBrowser(answers)
    const [first] = await browser.items()
    const publisher = browser.visit()
    const running = publisher.run(await browser.items())
    await expect.poll(() => publisher.getState().get(itemKey(first!))).toMatchObject({ at: 'unanswered' })
    const progress = publisher.getState().get(itemKey(first!)) as { trouble: string | undefined }
    expect(progress.trouble ?? '').toMatch(trouble)
    expect(asked).toHaveLength(1)
    browser.provider = undefined
    await publisher.forget(first!)
    await running
    expect(await browser.published()).toBe(3)
    expect(await browser.transactions()).toBe(1)
  })

  test.each([
    [{ status: 400 }, 'did not send it'],
    [{ status: 500, receipts: [{ status: '0x0', transactionHash: `0x${'ef'.repeat(32)}` }] }, 'refused it'],
  ])('says %j and is right: a sentence, and the next run asks again', async (status, trouble) => {
    const { browser } = await batchBrowser({ ...unsent, ...saying(status) })
    const items = await browser.items()
    const publisher = browser.visit()
    await publisher.run(items)
    expect(publisher.getState().get(itemKey(items[0]!))).toMatchObject({
      at: 'failed',
      trouble: expect.stringContaining(trouble),
    })
    expect(browser.kept.size).toBe(0)
    browser.provider = undefined
    await publisher.run(items)
    expect(await browser.published()).toBe(3)
  })

  test.each([4001, 5750])('declines with %i: nothing is kept', async (code) => {
    const { browser } = await batchBrowser(failing(code))
    const items = await browser.items()
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['declined', 'waiting', 'waiting'])
    expect(browser.kept.size).toBe(0)
  })

  test.each([4200, 5700, 5740])('takes no batches after all (%i): one transaction instead', async (code) => {
    const { browser } = await batchBrowser(failing(code))
    const items = await browser.items()
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(await browser.transactions()).toBe(1)
  })
})

describe('capabilities', () => {
  const account: Address = `0x${'11'.repeat(20)}`
  const read = (answer: unknown, paymasterUrl: string | null = null, code = '0x00') =>
    readBatches(async (method) => (method === 'eth_getCode' ? code : answer), account, 1, paymasterUrl, 50)

  test.each([
    undefined,
    null,
    'megabytes'.repeat(100_000),
    [],
    {},
    { '0x1': null },
    { '0x2': { atomic: { status: 'supported' } } },
    { '0x1': { atomic: { status: 'unsupported' } } },
    { '0x1': { atomicBatch: { supported: true } } },
    { '0x1': Object.create({ atomic: { status: 'supported' } }) },
  ])('%#: none', async (answer) => {
    expect(await read(answer)).toBeUndefined()
  })

  test('for this chain or for all, with a paymaster only where the site names one', async () => {
    const offered = { atomic: { status: 'supported' }, paymasterService: { supported: true } }
    expect(await read({ '0x1': offered })).toMatchObject({ paymaster: false, undeployed: false })
    expect(await read({ '0x0': offered }, 'https://pay.example')).toMatchObject({ paymaster: true })
    expect(await read({ '0x1': offered }, null, '0x')).toMatchObject({ undeployed: true })
  })

  test('the paymaster goes out with the batch, as optional', async () => {
    const asked: SentCalls[] = []
    const batches = await readBatches(
      async (method, params) => {
        if (method === 'wallet_sendCalls') asked.push(params[0] as SentCalls)
        return { '0x1': { atomic: { status: 'ready' }, paymasterService: { supported: true } } }
      },
      account,
      1,
      'https://pay.example/rpc',
    )
    await batches?.send('0x01', { to: account, data: '0x', value: '0x0' })
    expect(asked[0]?.capabilities).toEqual({
      paymasterService: { url: 'https://pay.example/rpc', optional: true },
    })
  })
})
