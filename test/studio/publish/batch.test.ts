import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hash } from '../../../lib/protocol/entity.ts'
import { itemKey, openItems } from '../../../lib/ui/studio/publish/plan.ts'
import type { Publisher } from '../../../lib/ui/studio/publish/publisher.ts'
import { type Network, startNetwork } from '../../publication/network.ts'
import { Browser, Killed, newBrowser, stages } from './browser.ts'

/* A document of three entities published as one transaction: one prompt, all or nothing, never twice. */

let network: Network
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network?.close())

function newBatchBrowser() {
  return newBrowser(network, true)
}

test('one prompt publishes everything in one transaction', async () => {
  const browser = await newBatchBrowser()
  const items = await browser.items()
  const publisher = browser.visit()
  await publisher.run(items)
  expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
  expect(browser.asked).toBe(1)
  expect(await browser.transactions()).toBe(1)
  expect(await browser.published()).toBe(3)
  const hashes = items.map((item) => (publisher.getState().get(itemKey(item)) as { txHash: Hash }).txHash)
  expect(new Set(hashes).size).toBe(1)
})

test.each([
  'before save',
  'after save',
  'before prepare',
  'after prepare',
  'before put asking',
  'after put asking',
  'before send',
  'after send',
  'before put sent',
  'after put sent',
  'before confirm',
  'after put mined',
])('a page that goes away %s: the next visit finishes, nothing is sent twice', async (moment) => {
  const browser = await newBatchBrowser()
  const items = await browser.items()
  let passed = 0
  await runAndAnswer(
    browser,
    browser.visit((step) => {
      if (step === moment && passed++ === 1) throw new Killed()
    }),
  )
  await runAndAnswer(browser, browser.visit())
  await runAndAnswer(browser, browser.visit())
  expect(await browser.published()).toBe(items.length)
  expect(browser.asked).toBe(await browser.transactions())
})

/** Killed between prompt and response, only the user knows, and reports where nothing was sent. */
async function runAndAnswer(browser: Browser, page: Publisher): Promise<void> {
  const items = openItems({ items: await browser.items() })
  let over = false
  const running = page.run(items).finally(() => {
    over = true
  })
  while (!over) {
    for (const item of items) {
      if (page.getState().get(itemKey(item))?.at !== 'unanswered') continue
      if ((await browser.transactions()) === 0) await page.forget(item)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await running
}

describe('the wallet', () => {
  test('declining leaves no record, and the next run prompts once more', async () => {
    const browser = await newBatchBrowser()
    const items = await browser.items()
    browser.person = () => Promise.reject(Object.assign(new Error('User rejected'), { code: 4001 }))
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['declined', 'waiting', 'waiting'])
    expect(browser.kept.size).toBe(0)
    browser.person = (send) => send()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(browser.asked).toBe(2)
  })

  test('what was not sent is asked for once more, all of it', async () => {
    const browser = await newBatchBrowser()
    const items = await browser.items()
    browser.person = () => Promise.reject(new Error('lost the connection'))
    const publisher = browser.visit()
    const running = publisher.run(items)
    await expect.poll(() => stages(publisher, items)[0]).toBe('unanswered')
    browser.person = (send) => send()
    await publisher.forget(items[0]!)
    await running
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(await browser.transactions()).toBe(1)
  })

  test('an error after it has sent does not make it send again', async () => {
    const browser = await newBatchBrowser()
    const items = await browser.items()
    browser.person = async (send) => {
      await send()
      throw Object.assign(new Error('Internal JSON-RPC error.'), { code: -32_603 })
    }
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(browser.asked).toBe(1)
  })

  test('a hash that the person finds in the wallet is followed for all of them', async () => {
    const browser = await newBatchBrowser()
    const items = await browser.items()
    await network.chain.rpc('evm_setAutomine', [false])
    try {
      let hash: Hash | undefined
      browser.person = async (send) => {
        hash = await send()
        throw new Error('lost the connection')
      }
      const publisher = browser.visit()
      const running = publisher.run(items)
      await expect.poll(() => stages(publisher, items)[0]).toBe('unanswered')
      await publisher.enterHash(items[0]!, hash!)
      await expect.poll(() => stages(publisher, items)[0]).toBe('sent')
      await network.chain.rpc('evm_mine')
      await running
      for (const item of items) {
        expect(publisher.getState().get(itemKey(item))).toMatchObject({ at: 'done', txHash: hash })
      }
      expect(browser.asked).toBe(1)
    } finally {
      await network.chain.rpc('evm_setAutomine', [true])
    }
  })
})

test('what cannot be published together is published in turn, up to what is wrong', async () => {
  const browser = await newBatchBrowser()
  const items = await browser.items()
  const rival = await newBatchBrowser()
  rival.document = browser.document
  // The rival takes the second name.
  await rival.visit().run((await rival.items()).slice(1, 2))
  const publisher = browser.visit()
  await publisher.run(items)
  expect(stages(publisher, items)[0]).toBe('done')
  expect(stages(publisher, items)[1]).toBe('failed')
  expect(await browser.published()).toBe(1)
})

describe('where the site pays', () => {
  const key = generatePrivateKey()
  let paying: Network
  beforeAll(async () => {
    const budget = 10n ** 21n
    const sponsor = { key, perDay: budget, perAccount: budget, perClient: budget }
    paying = await startNetwork({ config: { sponsor } })
    await paying.chain.rpc('anvil_setBalance', [privateKeyToAccount(key).address, '0x8ac7230489e80000'])
  })
  afterAll(() => paying?.close())

  test.each([
    'never',
    'before prepare',
    'after sign',
    'after put asking',
    'before sponsor',
    'after sponsor',
    'after put sent',
    'before confirm',
  ])('one signature publishes everything from an account without coins; gone %s', async (moment) => {
    const browser = new Browser(paying, true)
    const items = await browser.items()
    let passed = 0
    const first = browser.visit((step) => {
      if (step === moment && passed++ === 0) throw new Killed()
    })
    await first.run(items)
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(await browser.published()).toBe(3)
    expect(await browser.transactions()).toBe(0)
    expect(browser.asked).toBeLessThanOrEqual(moment === 'after sign' ? 2 : 1)
  })

  test('a wallet that cannot sign typed data pays for itself', async () => {
    const browser = await newBrowser(paying, true)
    browser.signsTypedData = false
    const items = await browser.items()
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(await browser.transactions()).toBe(1)
  })
})
