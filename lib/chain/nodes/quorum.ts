import { HttpRequestError, numberToHex } from 'viem'
import type { ChainNode, RpcAnswer, RpcCall } from './node.ts'

/*
 * A quorum of two: what the worker reads counts when two nodes say the same. One node alone can neither add nor hide an
 * event; it can delay them, while no two others answer.
 */

/** Answer of one node to a batch. */
export interface Ballot {
  readonly node: ChainNode
  readonly answers: readonly RpcAnswer[]
}

/** Sends calls to one node. */
type Send = (node: ChainNode, calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[]>

/**
 * Returns the answers on which two nodes agree: to whole batches, so that one node's order of them is kept. Newest, safe and
 * finalized blocks differ among honest nodes, so the newest one that two of them have counts.
 *
 * @throws HttpRequestError while no two agree.
 */
export async function agreedAnswers(
  calls: readonly RpcCall[],
  ballots: readonly Ballot[],
  send: Send,
): Promise<RpcAnswer[]> {
  if (ballots.length < 2) throw disagreement('two nodes have to say the same, and fewer answer')
  const votes = new Map(ballots.map((ballot) => [ballot, votesOf(calls, ballot)]))
  const winner = ballots.find((one) => ballots.some((other) => other !== one && isSame(votes, one, other)))
  if (winner === undefined) {
    // A range or an answer that is too large for a node: it is asked for less.
    const refused = ballots.find(({ answers }) => answers.some(({ error }) => error !== undefined))
    if (refused !== undefined) return [...refused.answers]
    const about = differenceOf(calls, [...votes.values()])
    for (const { node } of ballots) if (about.missing === false) node.health.disagreed(about.words)
    throw disagreement(
      about.missing
        ? 'only one of the nodes has the newest block'
        : `no two nodes say the same about ${about.words}`,
    )
  }
  for (const ballot of ballots) {
    if (ballot === winner || isSame(votes, winner, ballot)) continue
    const about = differenceOf(calls, [votes.get(winner) ?? [], votes.get(ballot) ?? []])
    if (!about.missing) ballot.node.health.disagreed(about.words)
  }
  const answers = [...winner.answers]
  for (const [i, call] of calls.entries()) {
    if (isTag(call)) answers[i] = await agreedTag(i, ballots, send)
  }
  return answers
}

/** The newest block among the answers to a tag that two nodes have. */
async function agreedTag(at: number, ballots: readonly Ballot[], send: Send): Promise<RpcAnswer> {
  const votes = ballots
    .flatMap(({ node, answers }) => {
      const answer = answers[at] as RpcAnswer
      const { number } = (answer.result ?? {}) as { number?: unknown }
      return typeof number === 'string' ? [{ node, answer, number: Number(number) }] : []
    })
    .toSorted((a, b) => b.number - a.number)
  // A tag that no node knows.
  if (votes.length < 2)
    return ballots.find(({ answers }) => answers[at]?.error)?.answers[at] ?? { result: null }
  for (const candidate of votes.slice(1)) {
    const vote = blockVote(candidate.answer.result)
    const call: RpcCall = { method: 'eth_getBlockByNumber', params: [numberToHex(candidate.number), false] }
    for (const { node, answer, number } of votes) {
      if (node === candidate.node || number < candidate.number) continue
      const result =
        number === candidate.number
          ? answer.result
          : (await send(node, [call]).catch(() => [undefined]))[0]?.result
      if (blockVote(result) === vote) return candidate.answer
      if (result !== null && result !== undefined) node.health.disagreed('a block')
    }
  }
  throw disagreement('no two nodes say the same about the newest block')
}

function disagreement(words: string): HttpRequestError {
  return new HttpRequestError({ body: {}, details: words, status: 503, url: 'nodes' })
}

const TAGS: readonly unknown[] = ['latest', 'safe', 'finalized']

function isTag({ method, params }: RpcCall): boolean {
  return method === 'eth_getBlockByNumber' && TAGS.includes((params as readonly unknown[])[0])
}

/** Undefined for an answer that is no vote: an error. */
type Vote = string | undefined

function votesOf(calls: readonly RpcCall[], { answers }: Ballot): Vote[] {
  return calls.map((call, i) => (isTag(call) ? '' : voteOf(call, answers[i] as RpcAnswer)))
}

function isSame(votes: ReadonlyMap<Ballot, readonly Vote[]>, one: Ballot, other: Ballot): boolean {
  const others = votes.get(other) ?? []
  return (votes.get(one) ?? []).every((vote, i) => vote !== undefined && vote === others[i])
}

function differenceOf(calls: readonly RpcCall[], votes: readonly (readonly Vote[])[]) {
  const differing = calls.flatMap((call, i) => {
    const each = votes.map((of) => of[i])
    return new Set(each).size > 1 ? [{ call, each }] : []
  })
  // A node that is late lacks a block, and whatever comes with it.
  const missing = differing.some(({ each }) => each.some((vote) => vote === undefined || vote === ABSENT))
  return { missing, words: WORDS.get(differing[0]?.call.method ?? '') ?? 'the chain' }
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['eth_getLogs', 'the events of the registry'],
  ['eth_getBlockByNumber', 'a block'],
  ['eth_getBlockByHash', 'a block'],
  ['eth_getCode', 'the code of an entity'],
  ['eth_call', 'an entry of the registry'],
  ['eth_getTransactionByBlockHashAndIndex', 'a transaction'],
])

const ABSENT = 'absent'

/** Fields that must be equal on two nodes: those that follow from the chain, without those that each client adds. */
function voteOf({ method }: RpcCall, { result, error, refusal }: RpcAnswer): Vote {
  if (error !== undefined || refusal !== undefined || result === undefined) return undefined
  if (result === null) return ABSENT
  if (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash') return blockVote(result)
  if (method === 'eth_getLogs')
    return Array.isArray(result) ? result.map(logVote).sort().join('\n') : undefined
  if (method === 'eth_getTransactionByBlockHashAndIndex') return fields(result, ['hash', 'input'])
  return JSON.stringify(result).toLowerCase()
}

function blockVote(block: unknown): string {
  return fields(block, ['number', 'hash', 'parentHash', 'timestamp'])
}

function logVote(log: unknown): string {
  return fields(log, [
    'address',
    'blockHash',
    'blockNumber',
    'data',
    'logIndex',
    'topics',
    'transactionHash',
    'transactionIndex',
  ])
}

function fields(value: unknown, names: readonly string[]): string {
  const object = (value ?? {}) as Readonly<Record<string, unknown>>
  return JSON.stringify(names.map((name) => object[name] ?? null)).toLowerCase()
}
