import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#lib/browser/requests.ts'
import { listPublications } from '#lib/core/entities/publication/records.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { itemKey, openItems } from '#lib/ui/studio/publish/plan.ts'
import { type Network, startNetwork } from '#test/core/publication/network.ts'
import { Browser, Killed, newBrowser, runAndAnswer, stages } from './browser.ts'

/*
 * Publishing a document of three entities against a real server and a real chain, interrupted wherever it can be: one at
 * a time, and all in one transaction. Whatever happens, the chain must end up with each thing once.
 */

let network: Network
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network?.close())

const DONE = ['done', 'done', 'done']

describe.each([
  ['one at a time', false, 3],
  ['together', true, 1],
] as const)('published %s', (_, batching, transactions) => {
  const open = () => newBrowser(network, batching)

  test('everything is there, each once, with receipts that outlive the page', async () => {
    const browser = await open()
    const items = await browser.items()
    expect(items.map(({ kind }) => kind)).toEqual(['transformation', 'transformation', 'connector'])
    const publisher = browser.visit()
    expect(await publisher.run(items)).toBe(true)
    expect(stages(publisher, items)).toEqual(DONE)
    expect([browser.asked, await browser.transactions()]).toEqual([transactions, transactions])
    expect(await browser.published()).toBe(3)

    const next = browser.visit()
    await next.recall(items)
    expect(stages(next, items)).toEqual(DONE)
    const receipts = items.map(
      (item) => next.getState().get(itemKey(item)) as { txHash: Hash; block: number },
    )
    expect(new Set(receipts.map(({ txHash }) => txHash)).size).toBe(transactions)
    const receipt = await network.chain.publicClient.getTransactionReceipt({ hash: receipts[0]!.txHash })
    expect(receipt).toMatchObject({ status: 'success', blockNumber: BigInt(receipts[0]!.block) })
  })

  const STEPS = ['save', 'prepare', 'put asking', 'send', 'put sent', 'confirm', 'put mined']

  // What is there after any other step is there before the next.
  test.each([...STEPS.map((step) => `before ${step}`), 'after send', 'after put mined'])(
    'a page goes away %s, three times: the next visit finishes, nothing is sent twice',
    async (moment) => {
      const browser = await open()
      // Of what is sent together, between the first record and the second.
      const last = batching && moment.includes('put') ? 1 : 0
      for (let visit = 0; visit < 3; visit++) {
        let passed = 0
        const page = browser.visit((step) => {
          if (step === moment && passed++ === last) throw new Killed()
        })
        await runAndAnswer(browser, page)
      }
      await runAndAnswer(browser, browser.visit())
      expect(await browser.published()).toBe(3)
      expect(await browser.transactions()).toBe(browser.asked)
      if (!batching) expect(browser.asked).toBe(3)
    },
  )

  test('declining leaves no record, and the next run prompts again', async () => {
    const browser = await open()
    const items = await browser.items()
    browser.person = () => Promise.reject(Object.assign(new Error('User rejected'), { code: 4001 }))
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['declined', 'waiting', 'waiting'])
    expect(browser.kept.size).toBe(0)
    browser.person = (send) => send()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(DONE)
    expect(await browser.transactions()).toBe(transactions)
    expect(browser.asked).toBe(1 + transactions)
  })

  test('an error after it has sent does not make it send again', async () => {
    const browser = await open()
    const items = await browser.items()
    let broken = true
    browser.person = async (send) => {
      const hash = await send()
      if (!broken) return hash
      broken = false
      throw Object.assign(new Error('Internal JSON-RPC error.'), { code: -32_603 })
    }
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(DONE)
    expect([browser.asked, await browser.transactions()]).toEqual([transactions, transactions])
  })

  test('a hash that the person finds in the wallet is followed, for all that it publishes', async () => {
    const browser = await open()
    const items = (await browser.items()).slice(0, batching ? 3 : 1)
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

test('what is estimated is what is paid, within a tenth', async () => {
  const browser = await newBrowser(network)
  const items = await browser.items()
  const publisher = browser.visit()
  await publisher.run(items)
  for (const item of items) {
    const { txHash } = publisher.getState().get(itemKey(item)) as { txHash: Hash }
    const { gasUsed } = await network.chain.publicClient.getTransactionReceipt({ hash: txHash })
    expect(
      Math.abs(Number(item.gas - gasUsed)) / Number(gasUsed),
      `${item.kind} ${item.gas} ${gasUsed}`,
    ).toBeLessThan(0.1)
  }
})

test.each(['before relay', 'after relay', 'before put sent', 'after put asking'])(
  'with a wallet that leaves sending to the site, %s: nobody is asked again',
  async (moment) => {
    const browser = await newBrowser(network)
    browser.relaying = true
    const items = await browser.items()
    let passed = 0
    const page = browser.visit((step) => {
      if (step === moment && passed++ === 0) throw new Killed()
    })
    await page.run(items)
    expect(browser.asked).toBe(1)
    await browser.visit().run(openItems({ items: await browser.items() }))
    expect(await browser.published()).toBe(3)
    expect(await browser.transactions()).toBe(3)
    expect(browser.asked).toBe(3)
  },
)

test('a prompt without an answer expires with its deadline', async () => {
  const browser = await newBrowser(network)
  const items = await browser.items()
  browser.person = () => Promise.reject(new Error('lost'))
  // The first sleep is before the item, the second waits for an answer.
  let sleeps = 0
  const first = browser.visit((step) => {
    if (step === 'after sleep' && ++sleeps === 2) throw new Killed()
  })
  await first.run(items)
  expect(stages(first, items)[0]).toBe('unanswered')
  browser.clockMs = 2 * 3600 * 1000
  browser.person = (send) => {
    // Else what is sent now would be late as well, where it is not mined at the first look.
    browser.clockMs = 0
    return send()
  }
  await browser.visit().run(items)
  expect(await browser.transactions()).toBe(3)
})

test('what was not sent is asked for once more, all of it', async () => {
  const browser = await newBrowser(network, true)
  const items = await browser.items()
  browser.person = () => Promise.reject(new Error('lost the connection'))
  const publisher = browser.visit()
  const running = publisher.run(items)
  await expect.poll(() => stages(publisher, items)[0]).toBe('unanswered')
  browser.person = (send) => send()
  await publisher.forget(items[0]!)
  await running
  expect(stages(publisher, items)).toEqual(DONE)
  expect(await browser.transactions()).toBe(1)
})

test('a transaction sent before, in another browser, is followed and not repeated', async () => {
  const browser = await newBrowser(network)
  const items = await browser.items()
  await network.chain.rpc('evm_setAutomine', [false])
  try {
    let looks = 0
    const page = browser.visit((step) => {
      if (step === 'after confirm' && ++looks === 1) throw new Killed()
    })
    await page.run(items)
    browser.kept.clear()
    const serverAttempts = await listPublications(network.api.services, browser.account)
    expect(serverAttempts).toMatchObject([{ stage: 'pending', name: items[0]!.name }])
    browser.serverAttempts = new Map(
      serverAttempts.flatMap((each) =>
        each.stage === 'pending' && each.txHash !== null
          ? [[itemKey(each), { ...each, txHash: each.txHash }]]
          : [],
      ),
    )
  } finally {
    await network.chain.rpc('evm_setAutomine', [true])
    await network.chain.rpc('evm_mine')
  }
  const last = browser.visit()
  await last.run(items)
  expect([...last.getState().values()]).toMatchObject(items.map(() => ({ at: 'done' })))
  expect(await browser.transactions()).toBe(3)
  expect(await browser.published()).toBe(3)
})

test('a site that is away for a while is waited for after sending', async () => {
  const browser = await newBrowser(network)
  const items = await browser.items()
  let away = 3
  const publisher = browser.visit((step) => {
    if (step === 'before confirm' && away-- > 0) throw new Refusal(503, 'away')
  })
  await publisher.run(items)
  expect(stages(publisher, items)).toEqual(DONE)
  expect(await browser.transactions()).toBe(3)
})

test('what cannot be published together is published in turn, up to what is wrong', async () => {
  const browser = await newBrowser(network, true)
  const items = await browser.items()
  const rival = await newBrowser(network, true)
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
    expect(stages(publisher, items)).toEqual(DONE)
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
    expect(stages(publisher, items)).toEqual(DONE)
    expect(await browser.transactions()).toBe(1)
  })
})
