import type { Logger } from 'pino'
import { createTransport, RpcRequestError, type Transport } from 'viem'
import { traced } from '#lib/platform/telemetry/tracing.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { isRateError, isStateGone, type NodeTrouble, pausedBy, troubleOf, WrongChain } from './failover.ts'
import { BATCH_SIZES, ChainNode, type RpcAnswer, type RpcCall, type SendOptions } from './node.ts'
import { NodeLog } from './node-log.ts'
import { waitForPause, withoutRetryAfter } from './pause.ts'
import { type NodeFacts, probeNode } from './probe.ts'
import { agreedAnswers, type Ballot } from './quorum.ts'

/** Settings of a pool; what is set is not probed. */
export interface NodePoolConfig {
  readonly urls: readonly string[]
  /** Nodes of another chain are not used. Default: the chain of the first that answers. */
  readonly chainId?: number | undefined
  readonly batchSize?: number | undefined
  /** Blocks of one `eth_getLogs`. */
  readonly logRange?: number | undefined
  /** Blocks below the head whose state nodes keep. */
  readonly stateBlocks?: number | undefined
  /** Events of one `eth_getLogs`. */
  readonly logResults?: number | undefined
  readonly tags?: boolean | undefined
  readonly proofs?: boolean | undefined
  readonly callGas?: bigint | undefined
  readonly newHeads?: boolean | undefined
  /** Address of a WebSocket; probed for a node of the same host. */
  readonly wsUrl?: string | undefined
  /** Nodes that must say the same where `TransportOptions.quorum` asks for it. Default: 1. */
  readonly quorum?: number | undefined
  /** Calls a second to each node. Default: no limit. */
  readonly perSecond?: number | undefined
  /** Called for each call, in the scope of the request that causes it. */
  readonly onCall?: (() => void) | undefined
  /** Takes failovers, disagreements, pauses and wrong chains of nodes. */
  readonly log?: Logger | undefined
}

/** One node as `/status` shows it: neither its address nor a key. */
export interface NodeStatus {
  /** `unknown` until it was asked. */
  readonly state: 'answers' | 'lagging' | 'paused' | 'down' | 'unknown'
  /** The first that is asked. */
  readonly preferred: boolean
  readonly head: number | undefined
  /** Unix milliseconds since which it is paused or down, and its own words. */
  readonly sinceMs: number | undefined
  readonly words: string | undefined
  /** Disagreements with the others in the last minutes, where two of them must agree. */
  readonly disagreement: string | undefined
  /** Result of its probe. */
  readonly facts: NodeFacts | undefined
}

export interface TransportOptions {
  readonly timeoutMs: number
  readonly retryCount: number
  readonly maxBytes: number
  /** Calls of one turn of the event loop are sent together. */
  readonly batch: boolean
  /** A timeout means that the node hangs. */
  readonly slowIsDown: boolean
  /** Two nodes must say the same. */
  readonly quorum?: boolean
}

/** The nodes of a chain behind one transport. */
export interface NodePool {
  transport(options: TransportOptions): Transport
  /** Finds out what each node can do, at most once an hour; resolves soon, never throws. */
  probe(registry: Address): Promise<void>
  status(): readonly NodeStatus[]
  /** Blocks of one `eth_getLogs` that every node accepts, as far as known. */
  readonly logRange: number | undefined
  /** Events in one answer that mean that others may be missing; undefined for no limit. */
  readonly logResults: number | undefined
  /** False when nodes are not to be asked for `safe` and `finalized`. */
  readonly tags: boolean
}

const RETRY_DELAY_MS = 100
/** Timeout of a read while another node could answer it. */
const FAILOVER_TIMEOUT_MS = 4_000
/** Timeout of a read that two nodes must answer: the others wait for the slowest. */
const QUORUM_TIMEOUT_MS = 4_000
const PROBE_INTERVAL_MS = 3_600_000
/** A probe that no node answered is repeated after this time. */
const PROBE_RETRY_MS = 60_000
/** Interval in which nodes that are not asked show that they work, and their heads. */
const CHECK_INTERVAL_MS = 5_000
const CHECK: SendOptions = { timeoutMs: 4_000, maxBytes: 65_536 }

/** Creates a pool without a request. */
export function openNodePool(config: NodePoolConfig): NodePool {
  return new Pool(config)
}

class Pool implements NodePool {
  readonly #nodes: readonly ChainNode[]
  readonly #config: NodePoolConfig
  readonly #facts = new Map<ChainNode, NodeFacts>()
  #chainId: number | undefined
  #probeAtMs = 0
  #probing: Promise<void> | undefined
  #checkAtMs = 0
  readonly #checking = new Set<ChainNode>()
  /** The node that gave the last answer of one alone. */
  #serving: ChainNode | undefined

  constructor(config: NodePoolConfig) {
    const { urls, batchSize = BATCH_SIZES[0] as number, perSecond, log } = config
    this.#nodes = urls.map(
      (url) => new ChainNode(url, batchSize, perSecond, new NodeLog(url, log, () => this.#chainId)),
    )
    this.#config = config
    this.#chainId = config.chainId
  }

  get logRange(): number | undefined {
    if (this.#config.logRange !== undefined) return this.#config.logRange
    const ranges = [...this.#facts.values()].flatMap(({ logRange }) => logRange ?? [])
    return ranges.length === 0 ? undefined : Math.min(...ranges)
  }

  get logResults(): number | undefined {
    return this.#config.logResults
  }

  get tags(): boolean {
    return this.#config.tags ?? true
  }

  transport(options: TransportOptions): Transport {
    const { timeoutMs, retryCount, maxBytes, slowIsDown } = options
    const send = (calls: readonly RpcCall[], signal?: AbortSignal) =>
      options.quorum
        ? this.#agree(calls, { timeoutMs: Math.min(QUORUM_TIMEOUT_MS, timeoutMs), maxBytes, signal })
        : this.#send(calls, { timeoutMs, maxBytes, signal }, slowIsDown)
    const together = options.batch ? batchPerTurn((calls) => send(calls)) : undefined
    const request = async (call: RpcCall, more?: { signal?: AbortSignal }): Promise<unknown> => {
      this.#config.onCall?.()
      const answer = await traced(
        () => ({ name: `rpc ${call.method}`, kind: 'client', attributes: { 'rpc.system': 'jsonrpc' } }),
        async () => {
          if (together !== undefined && more?.signal === undefined) return together(call)
          return (await send([call], more?.signal))[0] as RpcAnswer
        },
      )
      if (answer.refusal !== undefined) throw answer.refusal
      if (answer.error === undefined) return answer.result
      const { method, params } = call
      throw new RpcRequestError({ body: { method, params }, error: { ...answer.error }, url: 'node' })
    }
    return () =>
      createTransport({
        key: 'nodes',
        name: 'Nodes of the chain',
        type: 'nodes',
        request: request as never,
        retryCount,
        retryDelay: RETRY_DELAY_MS,
        timeout: timeoutMs,
      })
  }

  status(): readonly NodeStatus[] {
    const [preferred] = this.#order()
    return this.#nodes.map((node) => {
      const { trouble, troubleSinceMs, head, lagging, known } = node.health
      const working = lagging ? 'lagging' : known ? 'answers' : 'unknown'
      return {
        state: trouble?.kind ?? working,
        preferred: node === preferred,
        head,
        sinceMs: troubleSinceMs,
        words: trouble?.words,
        disagreement: node.health.disagreement(),
        facts: this.#knownOf(node),
      }
    })
  }

  /** Result of the probe, with the batches that have been refused since. */
  #knownOf(node: ChainNode): NodeFacts | undefined {
    const facts = this.#facts.get(node)
    return facts && { ...facts, batchSize: node.batchSize }
  }

  probe(registry: Address): Promise<void> {
    if (this.#probing === undefined && performance.now() >= this.#probeAtMs) {
      this.#probing = this.#probeAll(registry).finally(() => {
        this.#probing = undefined
      })
    }
    return this.#probing ?? Promise.resolve()
  }

  async #probeAll(registry: Address): Promise<void> {
    const probes = await Promise.all(
      this.#nodes.map(async (node) => {
        try {
          const facts = await probeNode(node, registry, this.#config)
          this.#facts.set(node, facts)
          node.batchSize = facts.batchSize
          if (this.#nodes.length > 1) {
            node.chainId = facts.chainId
            await this.#confirmChain(node)
          }
          node.health.showed(facts.head)
          node.health.answered()
          return true
        } catch (error) {
          const trouble = troubleOf(error, true)
          if (trouble !== undefined) node.health.failed(trouble)
          return false
        }
      }),
    )
    const pause = probes.includes(true) ? PROBE_INTERVAL_MS : PROBE_RETRY_MS
    this.#probeAtMs = performance.now() + pause
  }

  /** Nodes in the order in which they are asked: those that work, then those that recover first. */
  #order(): ChainNode[] {
    const rank = ({ health }: ChainNode) => (health.trouble === undefined ? (health.lagging ? 1 : 0) : 2)
    return this.#nodes.toSorted((a, b) => rank(a) - rank(b) || a.health.restMs() - b.health.restMs())
  }

  async #send(calls: readonly RpcCall[], options: SendOptions, slowIsDown: boolean): Promise<RpcAnswer[]> {
    const nodes = this.#order()
    const free = nodes.filter(({ health }) => health.trouble?.kind !== 'paused' || health.restMs() === 0)
    if (free.length === 0) free.push(await waitForPause(nodes))
    const beganMs = performance.now()
    let last: { readonly answers: RpcAnswer[] } | { readonly error: unknown } | undefined
    for (const [i, node] of free.entries()) {
      const timeoutMs =
        slowIsDown && i < free.length - 1
          ? Math.min(FAILOVER_TIMEOUT_MS, options.timeoutMs)
          : options.timeoutMs
      const sentMs = performance.now()
      try {
        await this.#confirmChain(node)
        const answers = await node.send(calls, { ...options, timeoutMs })
        const limited = answers.find(({ error }) => error !== undefined && isRateError(error))
        if (limited?.error === undefined) {
          this.#noteAnswer(node, calls, answers)
          this.#noteServing(node, performance.now() - beganMs)
          if (!answers.some(({ error }) => error !== undefined && isStateGone(error))) return answers
          last = { answers }
          continue
        }
        node.health.failed(pausedBy(limited.error), performance.now() - sentMs)
        last = { answers }
      } catch (error) {
        if (options.signal?.aborted) throw error
        const trouble = troubleOf(error, slowIsDown)
        if (trouble === undefined) throw error
        node.chainId = undefined
        node.health.failed(trouble, performance.now() - sentMs)
        last = { error: withoutRetryAfter(error) }
      }
    }
    if (last !== undefined && 'answers' in last) return last.answers
    throw last?.error ?? new Error('no node is configured')
  }

  /** Sends calls to every node that is not resting, and returns what two of them say alike. */
  async #agree(calls: readonly RpcCall[], options: SendOptions): Promise<RpcAnswer[]> {
    const rested = this.#nodes.filter(({ health }) => health.restMs() === 0)
    const candidates = rested.length < 2 ? this.#nodes : rested
    const ask = async (node: ChainNode): Promise<Ballot[]> => {
      const sentMs = performance.now()
      try {
        await this.#confirmChain(node)
        const answers = await node.send(calls, options)
        const limited = answers.find(({ error }) => error !== undefined && isRateError(error))
        if (limited?.error !== undefined) {
          node.health.failed(pausedBy(limited.error), performance.now() - sentMs)
          return []
        }
        this.#noteAnswer(node, calls, answers)
        return [{ node, answers }]
      } catch (error) {
        if (options.signal?.aborted) throw error
        const trouble = troubleOf(error, true)
        // A request that is refused by itself: it is asked for less.
        if (trouble === undefined) return [{ node, answers: calls.map(() => ({ refusal: error })) }]
        node.chainId = undefined
        node.health.failed(trouble, performance.now() - sentMs)
        return []
      }
    }
    const ballots = (await Promise.all(candidates.map(ask))).flat()
    return agreedAnswers(calls, ballots, (node, more) => node.send(more, options))
  }

  /** One node is checked by `verify` of the chain; of several each could be of another one. @throws WrongChain */
  async #confirmChain(node: ChainNode): Promise<void> {
    if (this.#nodes.length === 1) return
    if (node.chainId === undefined) {
      const [answer] = await node.send([{ method: 'eth_chainId' }], CHECK)
      // A node that does not say is not judged.
      if (typeof answer?.result !== 'string') return
      node.chainId = Number(answer.result)
    }
    this.#chainId ??= node.chainId
    if (node.chainId !== this.#chainId) {
      throw new WrongChain(`it serves chain ${node.chainId}, not chain ${this.#chainId}`)
    }
  }

  #noteAnswer(node: ChainNode, calls: readonly RpcCall[], answers: readonly RpcAnswer[]): void {
    node.health.answered()
    calls.forEach(({ method, params }, i) => {
      if (method !== 'eth_getBlockByNumber' || (params as readonly unknown[])[0] !== 'latest') return
      const { number } = (answers[i]?.result ?? {}) as { number?: unknown }
      if (typeof number === 'string') node.health.showed(Number(number))
    })
    if (this.#nodes.length === 1) return
    this.#noteLag()
    const allDue = performance.now() >= this.#checkAtMs
    if (allDue) this.#checkAtMs = performance.now() + CHECK_INTERVAL_MS
    for (const other of this.#nodes) {
      if (other === node || this.#checking.has(other)) continue
      const { trouble } = other.health
      if (trouble === undefined ? !allDue : other.health.restMs() > 0) continue
      this.#checking.add(other)
      void this.#check(other).finally(() => this.#checking.delete(other))
    }
  }

  /** Asks a node for its head, so that one that is back is used again, and one that is lost is seen. */
  async #check(node: ChainNode): Promise<void> {
    try {
      await this.#confirmChain(node)
      const [answer] = await node.send([{ method: 'eth_blockNumber', params: [] }], CHECK)
      if (typeof answer?.result !== 'string') {
        const words = answer?.error?.message
        return node.health.failed({ kind: 'down', words, retryMs: undefined })
      }
      node.health.answered()
      node.health.showed(Number(answer.result))
      this.#noteLag()
    } catch (error) {
      node.chainId = undefined
      const down: NodeTrouble = { kind: 'down', words: undefined, retryMs: undefined }
      node.health.failed(troubleOf(error, true) ?? down)
    }
  }

  /** Logs when another node answers than before. */
  #noteServing(node: ChainNode, durationMs: number): void {
    const before = this.#serving
    if (before === node) return
    if (before !== undefined) {
      const { trouble, lagging } = before.health
      // One that lacks the state of a block is passed over for this request alone.
      const fit = trouble === undefined && !lagging
      if (fit && this.#nodes.indexOf(node) > this.#nodes.indexOf(before)) return
      node.log.standsIn(before.log.host, durationMs)
    }
    this.#serving = node
  }

  #noteLag(): void {
    const working = this.#nodes.map(({ health }) => health).filter(({ trouble }) => trouble === undefined)
    const best = working.toSorted((a, b) => (b.head ?? -1) - (a.head ?? -1))[0]
    if (best !== undefined) for (const each of working) each.compare(best)
  }
}

/** Gathers the calls of one turn of the event loop. */
function batchPerTurn(
  send: (calls: readonly RpcCall[]) => Promise<RpcAnswer[]>,
): (call: RpcCall) => Promise<RpcAnswer> {
  let next: { readonly calls: RpcCall[]; readonly answers: Promise<RpcAnswer[]> } | undefined
  return async (call) => {
    if (next === undefined) {
      const calls: RpcCall[] = []
      const answers = new Promise<void>((resolve) => setTimeout(resolve, 0)).then(() => {
        next = undefined
        return send(calls)
      })
      next = { calls, answers }
    }
    const { calls, answers } = next
    const at = calls.push(call) - 1
    return (await answers)[at] as RpcAnswer
  }
}
