import assert from 'node:assert/strict'
import { type Hex, hexToBigInt, hexToNumber } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { Agent } from '../mcp/connect.ts'
import { until } from '../support/until.ts'

export type Kind = 'connector' | 'transformation' | 'condition'

export interface Publication {
  readonly kind: Kind
  readonly name: string
  /** 40 digits. */
  readonly owner: string
}

export interface Prepared {
  readonly status: string
  readonly content_hash: string
  readonly transaction: { readonly to: Hex; readonly data: Hex; readonly chainId: Hex; readonly gas: Hex }
  readonly signing: { readonly nonce: Hex; readonly maxFeePerGas: Hex; readonly maxPriorityFeePerGas: Hex }
}

/** One call of a transformation: its name and arguments. */
export type Step = readonly [name: string, ...args: number[]]

export interface Problem {
  readonly status: number
  readonly message: string
  readonly missing?: readonly string[]
}

/** A client with a key of its own, limited to the tools. */
export class Player {
  readonly agent: Agent
  readonly account: LocalAccount
  readonly #published: Publication[]

  /** @param published Grows by what this player publishes. */
  constructor(agent: Agent, account: LocalAccount, published: Publication[]) {
    this.agent = agent
    this.account = account
    this.#published = published
  }

  /** 40 digits in lower case. */
  get address(): string {
    return this.account.address.slice(2).toLowerCase()
  }

  /** The answer of a tool. @throws for a failure */
  async value<T>(tool: string, args: Record<string, unknown> = {}): Promise<T> {
    const { failed, text, value } = await this.agent.call(tool, args)
    assert.equal(failed, false, `${tool}: ${text}`)
    return value as T
  }

  /** The failure of a tool. @throws for a success */
  async refusal(tool: string, args: Record<string, unknown> = {}): Promise<Problem> {
    const { failed, text, structured } = await this.agent.call(tool, args)
    assert.equal(failed, true, `${tool} succeeded: ${text}`)
    return structured as unknown as Problem
  }

  /** The values of each path, in the order of the paths. */
  async simulate(connector: string, count: number, more: Record<string, unknown> = {}): Promise<number[][]> {
    const particles = await this.value<readonly { readonly data: number[] }[]>('simulate', {
      connector_name: connector,
      particles_count: count,
      ...more,
    })
    return particles.map(({ data }) => data)
  }

  async draft(kind: 'transformation' | 'condition', name: string, source: string): Promise<void> {
    await this.value(`create_${kind}`, { name, sol_src: source })
  }

  /** A connector of a dimension for each list of steps, each beginning at its start. */
  async compose(
    name: string,
    dimensions: readonly { readonly steps: readonly Step[]; readonly start?: number }[],
    more: Record<string, unknown> = {},
  ): Promise<void> {
    const starts = dimensions.flatMap(({ start }, index) =>
      start === undefined ? [] : [[String(index + 1), { start_point: start, transformation_shift: 0 }]],
    )
    await this.value('create_connector', {
      name,
      dimensions: dimensions.map(({ steps }) => ({
        transformations: steps.map(([step, ...args]) => ({ name: step, args })),
      })),
      ...(starts.length > 0 && { static_ri: Object.fromEntries(starts) }),
      ...more,
    })
  }

  prepare(kind: Kind, name: string): Promise<Prepared> {
    return this.value<Prepared>('prepare_publication', { kind, name, relay: true })
  }

  async publish(kind: Kind, name: string): Promise<void> {
    const prepared = await this.prepare(kind, name)
    const { transaction, signing, content_hash } = prepared
    const about = { kind, name, content_hash }
    const raw_tx = await this.account.signTransaction({
      type: 'eip1559',
      to: transaction.to,
      data: transaction.data,
      chainId: hexToNumber(transaction.chainId),
      gas: hexToBigInt(transaction.gas),
      nonce: hexToNumber(signing.nonce),
      maxFeePerGas: hexToBigInt(signing.maxFeePerGas),
      maxPriorityFeePerGas: hexToBigInt(signing.maxPriorityFeePerGas),
    })
    const { tx_hash } = await this.value<{ tx_hash: string }>('send_publication', { ...about, raw_tx })
    await this.confirm(about, tx_hash)
  }

  /** Waits until it is mined, and until the network shows it. */
  async confirm(
    about: { readonly kind: Kind; readonly name: string; readonly content_hash: string },
    txHash: string,
  ): Promise<void> {
    await until(`${about.name} is mined`, async () => {
      const answer = await this.value<{ status: string }>('confirm_publication', {
        ...about,
        tx_hash: txHash,
      })
      return answer.status === 'mined'
    })
    this.#published.push({ kind: about.kind, name: about.name, owner: this.address })
    await until(`${about.name} is in the feed`, async () => {
      const { deltas } = await this.value<{ deltas: unknown[] }>('replay_feed', { name: about.name })
      return deltas.length > 0
    })
  }
}
