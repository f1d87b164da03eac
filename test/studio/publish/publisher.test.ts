import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listPublications } from '../../../lib/entities/publication/records.ts'
import type { Hash } from '../../../lib/protocol/entity.ts'
import { itemKey, openItems } from '../../../lib/ui/studio/publish/plan.ts'
import type { Publisher } from '../../../lib/ui/studio/publish/publisher.ts'
import { Refusal } from '../../../lib/ui/wallet/session/requests.ts'
import { type Network, startNetwork } from '../../publication/network.ts'
import { type Browser, Killed, newBrowser, stages } from './browser.ts'

/*
 * Publishing a document against a real server and a real chain, interrupted wherever it can be. Whatever happens, the
 * chain must end up with one transaction for each thing, and no more.
 */

let network: Network
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network?.close())

test('publishes everything in order, each once, and stores receipts', async () => {
  const browser = await newBrowser(network)
  const items = await browser.items()
  expect(items.map(({ kind }) => kind)).toEqual(['transformation', 'transformation', 'connector'])
  const publisher = browser.visit()
  expect(await publisher.run(items)).toBe(true)
  expect([...publisher.getState().values()]).toMatchObject(items.map(() => ({ at: 'done' })))
  expect(await browser.transactions()).toBe(3)
  expect(await browser.published()).toBe(3)

  const next = browser.visit()
  await next.recall(items)
  expect(stages(next, items)).toEqual(['done', 'done', 'done'])
  const first = next.getState().get(itemKey(items[0]!))
  const receipt = await network.chain.publicClient.getTransactionReceipt({
    hash: (first as { txHash: Hash }).txHash,
  })
  expect(receipt).toMatchObject({
    status: 'success',
    blockNumber: BigInt((first as { block: number }).block),
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

describe('a page that goes away', () => {
  const STEPS = ['save', 'prepare', 'put asking', 'send', 'put sent', 'confirm', 'put mined']
  const MOMENTS = [...STEPS.map((step) => `before ${step}`), 'after send', 'after put mined']

  test.each(MOMENTS)(
    '%s of each thing in turn: the next visit finishes, nothing is sent twice',
    async (moment) => {
      const browser = await newBrowser(network)
      const items = await browser.items()
      for (let visit = 0; visit < items.length; visit++) {
        let passed = 0
        const page = browser.visit((step) => {
          if (step === moment && passed++ === 0) throw new Killed()
        })
        await runAndAnswer(browser, page)
      }
      await runAndAnswer(browser, browser.visit())
      expect(await browser.published()).toBe(3)
      expect(await browser.transactions()).toBe(3)
    },
  )

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
        const sent = (await browser.transactions()) > (await browser.published())
        if (!sent) await page.forget(item)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await running
  }

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
})

describe('the wallet', () => {
  test('declining leaves no record, and the next run prompts again', async () => {
    const browser = await newBrowser(network)
    const items = await browser.items()
    browser.person = () => Promise.reject(Object.assign(new Error('User rejected'), { code: 4001 }))
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['declined', 'waiting', 'waiting'])
    expect(browser.kept.size).toBe(0)
    browser.person = (send) => send()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(await browser.transactions()).toBe(3)
  })

  test('an error after it has sent does not make it send again', async () => {
    const browser = await newBrowser(network)
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
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(await browser.transactions()).toBe(3)
    expect(browser.asked).toBe(3)
  })

  test('a hash that the person finds in the wallet is followed', async () => {
    const browser = await newBrowser(network)
    const items = await browser.items()
    await network.chain.rpc('evm_setAutomine', [false])
    try {
      let hash: Hash | undefined
      browser.person = async (send) => {
        hash = await send()
        throw new Error('lost the connection')
      }
      const publisher = browser.visit()
      const running = publisher.run(items.slice(0, 1))
      await expect.poll(() => stages(publisher, items)[0]).toBe('unanswered')
      await publisher.enterHash(items[0]!, hash!)
      await expect.poll(() => stages(publisher, items)[0]).toBe('sent')
      await network.chain.rpc('evm_mine')
      await running
      expect(publisher.getState().get(itemKey(items[0]!))).toMatchObject({ at: 'done', txHash: hash })
    } finally {
      await network.chain.rpc('evm_setAutomine', [true])
    }
  })

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
    browser.person = (send) => send()
    await browser.visit().run(items)
    expect(await browser.transactions()).toBe(3)
  })
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
  expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
  expect(await browser.transactions()).toBe(3)
})
