import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { Refusal } from '#lib/browser/requests.ts'
import { registryEntries } from '#lib/chain/registry-reads.ts'
import { createChainClient } from '#lib/client/chain.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { planPublication } from '#lib/core/entities/publication/plan.ts'
import { prepareBatch } from '#lib/core/entities/publication/prepare-batch.ts'
import { publishSponsored } from '#lib/features/sponsor/sponsor.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import type { ServerAttempt } from '#lib/ui/studio/publish/attempts.ts'
import { itemKey, openItems, type PlanItem } from '#lib/ui/studio/publish/plan.ts'
import { createPublisher, type Publisher } from '#lib/ui/studio/publish/publisher.ts'
import type { Progress, PublisherParts } from '#lib/ui/studio/publish/publisher-parts.ts'
import type { LocalRecord, RecordStore } from '#lib/ui/studio/publish/records.ts'
import {
  createPublishRequests,
  type PreparationAnswer,
  type PreparedBatch,
  type PublishRequests,
} from '#lib/ui/studio/publish/requests.ts'
import { readBatches } from '#lib/ui/wallet/connect/batches.ts'
import type { Wallet } from '#lib/ui/wallet/connect/wallet.ts'
import type { Network } from '#test/core/publication/network.ts'
import { codeEntry, connectorEntry, dimension, documentOf } from '../../../studio/document/entries.ts'

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

export async function itemsOf(
  network: Network,
  document: StudioDocument,
  account: Address,
): Promise<PlanItem[]> {
  const [connector] = document.entries
  if (connector?.kind !== 'connector') throw new Error('no connector')
  const planned = await planPublication(contextOf(network), {
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
  })
  if (planned.outcome !== 'planned') throw new Error(JSON.stringify(planned.problems))
  return planned.plan.items.map((item) => ({
    kind: item.kind,
    name: item.name,
    contentHash: item.contentHash,
    gas: item.gas,
    dataFee: item.dataFee,
    inDocument: item.inDocument,
    traits: item.traits,
    standing: item.entry
      ? { state: 'published', address: item.entry.address, owner: item.entry.owner }
      : { state: 'open' },
  }))
}

function contextOf(network: Network, caller?: Address) {
  const { services } = network.api
  return {
    ...services,
    requestId: 'test',
    client: undefined,
    caller,
    session: undefined,
    signal: AbortSignal.timeout(120_000),
  }
}

/** The page is gone: whatever it still wanted to do never happens. */
export class Killed extends Error {
  override readonly name = 'AbortError'
}

/** State that outlives a page: the user's wallet, the browser's storage. Each visit is a new page. */
export class Browser {
  readonly network: Network

  readonly signer = privateKeyToAccount(generatePrivateKey())
  readonly account: Address
  readonly kept = new Map<string, LocalRecord>()
  document = newDocument()
  /** Number of send requests to the wallet. */
  asked = 0
  serverAttempts: ReadonlyMap<string, ServerAttempt> = new Map()
  clockMs = 0
  /** The user's reaction to a prompt; `sent` returns the hash. */
  person: (send: () => Promise<Hash>) => Promise<Hash> = (send) => send()
  relaying = false
  signsTypedData = true
  /** JSON-RPC of a wallet that takes batches of calls. */
  provider: ((method: string, params: readonly unknown[]) => Promise<unknown>) | undefined
  /** Whether the site prepares several publications as one transaction. */
  batching: boolean
  locked = false

  constructor(network: Network, batching = false) {
    this.network = network
    this.account = this.signer.address.toLowerCase() as Address
    this.batching = batching
  }

  items(): Promise<PlanItem[]> {
    return itemsOf(this.network, this.document, this.account)
  }

  async fund(): Promise<void> {
    await this.network.chain.rpc('anvil_setBalance', [this.account, '0x8ac7230489e80000'])
  }

  transactions(): Promise<number> {
    return this.network.chain.publicClient.getTransactionCount({ address: this.account })
  }

  async published(): Promise<number> {
    const chain = await verifiedChain(this.network.api.services)
    const entries = await registryEntries(chain, this.document.entries)
    return entries.filter((entry) => entry?.owner === this.account).length
  }

  private async prepareTogether(items: readonly PlanItem[]): Promise<PreparedBatch> {
    if (!this.batching) throw new Refusal(400, 'Not together')
    try {
      const batch = await prepareBatch(contextOf(this.network, this.account), items)
      const { from, to, data, publicationNonce, deadline } = batch
      const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`
      return {
        contentHashes: batch.items.map(({ contentHash }) => contentHash),
        transaction: { from, to, data, gas: hex(batch.gas), chainId: hex(batch.chainId) },
        publicationNonce,
        deadline,
        typedData: batch.typedData,
      }
    } catch (error) {
      if (error instanceof Failure) throw new Refusal(409, error.message)
      throw error
    }
  }

  /** Signs and sends a transaction of the account. */
  async sendCall({ to, data, gas }: { to: Address; data: Hex; gas?: Hex }): Promise<Hash> {
    const { chain } = this.network
    const { maxFeePerGas, maxPriorityFeePerGas } = await chain.publicClient.estimateFeesPerGas()
    const raw = await this.signer.signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      to,
      data,
      gas: BigInt(gas ?? 6_000_000),
      nonce: await chain.publicClient.getTransactionCount({ address: this.account, blockTag: 'pending' }),
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
    return chain.rpc('eth_sendRawTransaction', [raw]) as Promise<Hash>
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
        const token = await this.network.api.token(this.account)
        const answer = await this.network.api.send(request.method, pathname.replace('/chain', ''), {
          token,
          text: await request.text(),
        })
        return Response.json(answer.json, { status: answer.status })
      },
    })
    const direct = createPublishRequests(client, this.document, (action) => action(), {
      one: async ({ kind, name }, relay) => {
        const answer = await client.POST('/publish/{kind}/prepare', {
          params: { path: { kind } },
          body: { name, relay },
        })
        if (answer.error) throw new Refusal(answer.response.status, answer.error.message)
        return answer.data as PreparationAnswer
      },
      together: (items) => this.prepareTogether(items),
      sponsored: async (items, signature) => {
        const input = { items, signature }
        try {
          return await publishSponsored(contextOf(this.network, this.account), input)
        } catch (error) {
          if (error instanceof Failure) throw new Refusal(409, error.message)
          throw error
        }
      },
    })
    const requests: PublishRequests = {
      save: (item) => step('save', () => direct.save(item)),
      prepareBatch: (items) => step('prepare', () => direct.prepareBatch(items)),
      prepare: (item, relay) => step('prepare', () => direct.prepare(item, relay)),
      sponsor: (items, signature) => step('sponsor', () => direct.sponsor(items, signature)),
      relay: (item, raw) => step('relay', () => direct.relay(item, raw)),
      confirm: (item, txHash) => step('confirm', () => direct.confirm(item, txHash)),
    }
    const wallet: Wallet = {
      option: { id: 'test', name: 'Test wallet', icon: undefined, kind: 'extension' },
      accounts: [this.account],
      chainId: async () => 31_337,
      signMessage: () => Promise.reject(new Error('not asked for here')),
      signTypedData: (_, json) =>
        step('sign', async () => {
          if (!this.signsTypedData) throw Object.assign(new Error('not supported'), { code: 4200 })
          this.asked++
          return this.signer.signTypedData(JSON.parse(json))
        }),
      switchChain: async () => undefined,
      batches: async (account) => {
        const { provider } = this
        if (provider === undefined) return undefined
        return readBatches((method, params) => provider(method, params), account, 31_337, null, 50)
      },
      sendTransaction: (tx) =>
        step('send', () => {
          this.asked++
          return this.person(() => this.sendCall(tx))
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
      sponsored: this.network.api.services.config.sponsor.key !== undefined,
      paymaster: false,
      serverAttempts: this.serverAttempts,
      errorMessage: (error) => (error instanceof Error ? error.message : String(error)),
      now: () => Date.now() + this.clockMs,
      sleep: () => step('sleep', () => new Promise((resolve) => setTimeout(resolve, 5))),
    }
    return createPublisher(parts)
  }
}

export async function newBrowser(network: Network, batching = false): Promise<Browser> {
  const browser = new Browser(network, batching)
  await browser.fund()
  return browser
}

export function stages(publisher: Publisher, items: readonly PlanItem[]): (Progress['at'] | undefined)[] {
  return items.map((item) => publisher.getState().get(itemKey(item))?.at)
}

/**
 * Runs a visit to its end. Between prompt and response only the user knows, and reports where nothing was sent.
 *
 * @returns what the page said each time it asked.
 */
export async function runAndAnswer(browser: Browser, page: Publisher): Promise<string[]> {
  const items = openItems({ items: await browser.items() })
  const troubles: string[] = []
  let over = false
  const running = page.run(items).finally(() => {
    over = true
  })
  while (!over) {
    for (const item of items) {
      const progress = page.getState().get(itemKey(item))
      if (progress?.at !== 'unanswered') continue
      troubles.push(progress.trouble ?? '')
      const known = browser.batching ? 0 : await browser.published()
      if ((await browser.transactions()) <= known) await page.forget(item)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await running
  return troubles
}
