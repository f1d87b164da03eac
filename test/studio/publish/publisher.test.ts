import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registryEntries } from '../../../lib/chain/registry-reads.ts'
import { createChainClient } from '../../../lib/client/chain.ts'
import { planPublication } from '../../../lib/entities/publication/plan.ts'
import { listPublications } from '../../../lib/entities/publication/records.ts'
import type { Address, Hash, Hex } from '../../../lib/protocol/entity.ts'
import type { StudioDocument } from '../../../lib/ui/studio/document/types.ts'
import { itemKey, openItems, type PlanItem } from '../../../lib/ui/studio/publish/plan.ts'
import {
  createPublisher,
  type Progress,
  type Publisher,
  type PublisherParts,
  type ServerAttempt,
} from '../../../lib/ui/studio/publish/publisher.ts'
import type { LocalRecord, RecordStore } from '../../../lib/ui/studio/publish/records.ts'
import {
  createPublishRequests,
  type PreparationAnswer,
  type PublishRequests,
} from '../../../lib/ui/studio/publish/requests.ts'
import type { Wallet } from '../../../lib/ui/wallet/connect/wallet.ts'
import { Refusal } from '../../../lib/ui/wallet/session/requests.ts'
import { type Network, startNetwork } from '../../publication/network.ts'
import { codeEntry, connectorEntry, dimension, documentOf } from '../document/entries.ts'

/*
 * Publishing a document against a real server and a real chain, interrupted wherever it can be. Whatever happens, the
 * chain must end up with one transaction for each thing, and no more.
 */

let network: Network
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network?.close())

let counter = 0

/** Two transformations and a connector of both, with unused names. */
function newDocument(): StudioDocument {
  const unique = `n${process.pid}_${counter++}`
  const call = (id: string, name: string) => ({ id, name, args: ['1'] })
  const calls = [call('1', `add_${unique}`), call('2', `times_${unique}`)]
  return documentOf(
    connectorEntry('c', `weave_${unique}`, [dimension('d', { calls })]),
    codeEntry('a', `add_${unique}`, 'return x + args[0];'),
    codeEntry('t', `times_${unique}`, 'return x * (args[0] + 1);'),
  )
}

async function itemsOf(document: StudioDocument, account: Address): Promise<PlanItem[]> {
  const [connector] = document.entries
  if (connector?.kind !== 'connector') throw new Error('no connector')
  const { services } = network.api
  const planned = await planPublication(
    {
      ...services,
      requestId: 'test',
      caller: undefined,
      session: undefined,
      signal: AbortSignal.timeout(120_000),
    },
    {
      kind: 'connector',
      name: connector.name,
      account,
      slice: {
        connectors: [
          {
            name: connector.name,
            conditionName: '',
            conditionArgs: [],
            staticRi: [],
            dimensions: connector.dimensions.map(({ calls }) => ({
              transformations: calls.map(({ name, args }) => ({ name, args: args.map(Number) })),
              composite: '',
              bindings: [],
            })),
          },
        ],
        bodies: document.entries.flatMap((entry) => (entry.kind === 'connector' ? [] : [entry])),
      },
    },
  )
  if (planned.outcome !== 'planned') throw new Error(JSON.stringify(planned.problems))
  return planned.plan.items.map((item) => ({
    kind: item.kind,
    name: item.name,
    contentHash: item.contentHash,
    gas: item.gas,
    inDocument: item.inDocument,
    traits: item.traits,
    standing: item.entry
      ? { state: 'published', address: item.entry.address, owner: item.entry.owner }
      : { state: 'open' },
  }))
}

/** The page is gone: whatever it still wanted to do never happens. */
class Killed extends Error {
  override readonly name = 'AbortError'
}

/** State that outlives a page: the user's wallet, the browser's storage. Each visit is a new page. */
class Browser {
  readonly signer = privateKeyToAccount(generatePrivateKey())
  readonly account = this.signer.address.toLowerCase() as Address
  readonly kept = new Map<string, LocalRecord>()
  document = newDocument()
  /** Number of send requests to the wallet. */
  asked = 0
  serverAttempts: ReadonlyMap<string, ServerAttempt> = new Map()
  clockMs = 0
  /** The user's reaction to a prompt; `sent` returns the hash. */
  person: (send: () => Promise<Hash>) => Promise<Hash> = (send) => send()
  relaying = false
  locked = false

  async fund(): Promise<void> {
    await network.chain.rpc('anvil_setBalance', [this.account, '0x8ac7230489e80000'])
  }

  transactions(): Promise<number> {
    return network.chain.publicClient.getTransactionCount({ address: this.account })
  }

  async published(): Promise<number> {
    const { chain } = network.api.services
    if (chain === undefined) throw new Error('no chain')
    const entries = await registryEntries(chain, this.document.entries)
    return entries.filter((entry) => entry?.owner === this.account).length
  }

  /** Every step of a visit passes here; `interrupt` may end the page before or after one. */
  visit(interrupt: (step: string) => void = () => undefined): Publisher {
    let gone = false
    const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const pass = (moment: string) => {
        try {
          if (gone) throw new Killed()
          interrupt(moment)
        } catch (error) {
          gone ||= error instanceof Killed
          throw error
        }
      }
      pass(`before ${name}`)
      const result = await work()
      pass(`after ${name}`)
      return result
    }
    const keyOf = (record: LocalRecord) => `${record.account}/${itemKey(record)}`
    const records: RecordStore = {
      list: async (account) => [...this.kept.values()].filter((record) => record.account === account),
      put: (record) =>
        step(`put ${record.stage}`, async () => void this.kept.set(keyOf(record), structuredClone(record))),
      delete: (record) => step('delete', async () => void this.kept.delete(keyOf(record))),
    }
    const client = createChainClient('http://localhost/chain', {
      fetch: async (request) => {
        const { pathname } = new URL(request.url)
        const token = await network.api.token(this.account)
        const answer = await network.api.call(request.method, pathname.replace('/chain', ''), {
          token,
          text: await request.text(),
        })
        return Response.json(answer.body, { status: answer.status })
      },
    })
    const direct = createPublishRequests(
      client,
      this.document,
      (action) => action(),
      async ({ kind, name }, relay) => {
        const answer = await client.POST('/publish/{kind}/prepare', {
          params: { path: { kind } },
          body: { name, relay },
        })
        if (answer.error) throw new Refusal(answer.response.status, answer.error.message)
        return answer.data as PreparationAnswer
      },
    )
    const requests: PublishRequests = {
      save: (item) => step('save', () => direct.save(item)),
      prepare: (item, relay) => step('prepare', () => direct.prepare(item, relay)),
      relay: (item, raw) => step('relay', () => direct.relay(item, raw)),
      confirm: (item, txHash) => step('confirm', () => direct.confirm(item, txHash)),
    }
    const sendRaw = (raw: Hex) => network.chain.rpc('eth_sendRawTransaction', [raw]) as Promise<Hash>
    const sign = async (tx: Parameters<Wallet['sendTransaction']>[0]) => {
      const { chain } = network
      const { maxFeePerGas, maxPriorityFeePerGas } = await chain.publicClient.estimateFeesPerGas()
      return this.signer.signTransaction({
        type: 'eip1559',
        chainId: Number(tx.chainId),
        to: tx.to,
        data: tx.data,
        gas: BigInt(tx.gas),
        value: BigInt(tx.value),
        nonce: await chain.publicClient.getTransactionCount({ address: this.account, blockTag: 'pending' }),
        maxFeePerGas,
        maxPriorityFeePerGas,
      })
    }
    const wallet: Wallet = {
      option: { id: 'test', name: 'Test wallet', icon: undefined, kind: 'extension' },
      accounts: [this.account],
      chainId: async () => 31_337,
      signMessage: () => Promise.reject(new Error('not asked for here')),
      switchChain: async () => undefined,
      sendTransaction: (tx) =>
        step('send', () => {
          this.asked++
          return this.person(async () => sendRaw(await sign(tx)))
        }),
      ...(this.relaying && {
        signTransaction: async (tx) => {
          this.asked++
          return this.signer.signTransaction({
            type: 'eip1559',
            chainId: Number(tx.chainId),
            to: tx.to,
            data: tx.data,
            gas: BigInt(tx.gas),
            value: 0n,
            nonce: Number(tx.nonce),
            maxFeePerGas: BigInt(tx.maxFeePerGas),
            maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
          })
        },
      }),
    }
    const parts: PublisherParts = {
      account: this.account,
      chainId: 31_337,
      requests,
      records,
      openWallet: async () => wallet,
      exclusive: async (work) => {
        if (this.locked) return false
        this.locked = true
        try {
          await work()
        } finally {
          this.locked = false
        }
        return true
      },
      serverAttempts: this.serverAttempts,
      errorMessage: (error) => (error instanceof Error ? error.message : String(error)),
      now: () => Date.now() + this.clockMs,
      sleep: () => step('sleep', () => new Promise((resolve) => setTimeout(resolve, 5))),
    }
    return createPublisher(parts)
  }
}

async function newBrowser(): Promise<Browser> {
  const browser = new Browser()
  await browser.fund()
  return browser
}

function stages(publisher: Publisher, items: readonly PlanItem[]): (Progress['at'] | undefined)[] {
  return items.map((item) => publisher.getState().get(itemKey(item))?.at)
}

test('publishes everything in order, each once, and stores receipts', async () => {
  const browser = await newBrowser()
  const items = await itemsOf(browser.document, browser.account)
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
  const browser = await newBrowser()
  const items = await itemsOf(browser.document, browser.account)
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
      const browser = await newBrowser()
      const items = await itemsOf(browser.document, browser.account)
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
    const items = openItems({ items: await itemsOf(browser.document, browser.account) })
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
      const browser = await newBrowser()
      browser.relaying = true
      const items = await itemsOf(browser.document, browser.account)
      let passed = 0
      const page = browser.visit((step) => {
        if (step === moment && passed++ === 0) throw new Killed()
      })
      await page.run(items)
      expect(browser.asked).toBe(1)
      await browser.visit().run(openItems({ items: await itemsOf(browser.document, browser.account) }))
      expect(await browser.published()).toBe(3)
      expect(await browser.transactions()).toBe(3)
      expect(browser.asked).toBe(3)
    },
  )
})

describe('the wallet', () => {
  test('declining leaves no record, and the next run prompts again', async () => {
    const browser = await newBrowser()
    const items = await itemsOf(browser.document, browser.account)
    browser.person = () => Promise.reject(Object.assign(new Error('User rejected'), { code: 4001 }))
    const publisher = browser.visit()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['declined', undefined, undefined])
    expect(browser.kept.size).toBe(0)
    browser.person = (send) => send()
    await publisher.run(items)
    expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
    expect(await browser.transactions()).toBe(3)
  })

  test('an error after it has sent does not make it send again', async () => {
    const browser = await newBrowser()
    const items = await itemsOf(browser.document, browser.account)
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
    const browser = await newBrowser()
    const items = await itemsOf(browser.document, browser.account)
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
    const browser = await newBrowser()
    const items = await itemsOf(browser.document, browser.account)
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
  const browser = await newBrowser()
  const items = await itemsOf(browser.document, browser.account)
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
  const browser = await newBrowser()
  const items = await itemsOf(browser.document, browser.account)
  let away = 3
  const publisher = browser.visit((step) => {
    if (step === 'before confirm' && away-- > 0) {
      throw Object.assign(new Error('away'), { status: 503 })
    }
  })
  await publisher.run(items)
  expect(stages(publisher, items)).toEqual(['done', 'done', 'done'])
  expect(await browser.transactions()).toBe(3)
})
