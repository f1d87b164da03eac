import { numberToHex } from 'viem/utils'
import { quoted, Refusal } from '#lib/protocol/refusal.ts'
import { decodeHeader, encodeHeader, type Header } from './header.ts'
import type { AskNode } from './node.ts'

/** A node that the reader chose, under the name that a certificate gives it. */
export interface Source {
  readonly name: string
  readonly ask: AskNode
}

/** A block whose header may be asked for. */
export interface Candidate {
  readonly number: number
  readonly final: boolean
}

interface Awake extends Source {
  readonly chainId: number
  readonly finalized: number | undefined
  readonly latest: number
}

/**
 * Asks every source for its chain and its heads.
 *
 * @returns The sources that answer, and blocks that all of them should have: the final one first.
 * @throws Refusal when none answers, or they are on different chains.
 */
export async function answering(sources: readonly Source[]) {
  const answers = await Promise.all(sources.map(headsOf))
  const awake = answers.flatMap((one) => (typeof one === 'string' ? [] : [one]))
  const silent = answers.flatMap((one) => (typeof one === 'string' ? [one] : []))
  const [first] = awake
  if (first === undefined) {
    const names = silent.map(quoted).join(', ')
    throw new Refusal('no_source', `No source of headers answers: ${names}.`, false)
  }
  const other = awake.find(({ chainId }) => chainId !== first.chainId)
  if (other !== undefined) {
    throw new Refusal(
      'sources_disagree',
      `The sources are on different chains: ${first.name} on ${first.chainId}, ${other.name} on ${other.chainId}.`,
    )
  }
  const finals = awake.flatMap(({ finalized }) => finalized ?? [])
  const latest = Math.min(...awake.map((one) => one.latest))
  const final = finals.length === awake.length ? Math.min(...finals) : undefined
  const candidates: Candidate[] = [
    ...(final === undefined ? [] : [{ number: final, final: true }]),
    ...(final === latest ? [] : [{ number: latest, final: false }]),
  ]
  return { chainId: first.chainId, awake, silent, candidates }
}

async function headsOf({ name, ask }: Source): Promise<Awake | string> {
  try {
    const [id, latest, finalized] = await Promise.all([
      chainOf(ask),
      numberOf(ask, 'latest'),
      numberOf(ask, 'finalized').catch(() => undefined),
    ])
    if (latest === undefined || id === undefined) return name
    return { name, ask, chainId: id, latest, finalized }
  } catch {
    return name
  }
}

/** The id of a node's chain; undefined when it returns none. */
export async function chainOf(ask: AskNode): Promise<number | undefined> {
  const id = Number(await ask('eth_chainId', []))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

async function numberOf(ask: AskNode, tag: string): Promise<number | undefined> {
  const block = (await ask('eth_getBlockByNumber', [tag, false])) as { readonly number?: unknown } | null
  const number = typeof block?.number === 'string' ? Number(block.number) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** Reads a header as it is hashed; undefined when the source has none, or one that does not hash to what it says. */
export async function headerAt(ask: AskNode, number: number): Promise<Uint8Array | undefined> {
  return encodeHeader(await ask('eth_getBlockByNumber', [numberToHex(number), false]))
}

/**
 * Reads the header of a block from every source.
 *
 * @throws Refusal when two sources give different ones, or none gives one that hashes to what it says.
 */
export async function agreedHeader(awake: readonly Source[], { number }: Candidate) {
  const read = await Promise.all(
    awake.map(async (source) => ({
      source,
      encoded: await headerAt(source.ask, number).catch(() => undefined),
    })),
  )
  const silent = read.flatMap(({ source, encoded }) => (encoded === undefined ? [source.name] : []))
  const answers = read.flatMap(({ source, encoded }) => {
    const header = encoded && decodeHeader(encoded)
    return encoded && header?.number === number ? [{ source, encoded, header }] : []
  })
  const [first] = answers
  if (first === undefined) {
    throw new Refusal(
      'header',
      `No source gives a header of block ${number} that hashes to what it says.`,
      false,
    )
  }
  const other = answers.find(({ header }) => header.hash !== first.header.hash)
  if (other !== undefined) {
    throw new Refusal(
      'sources_disagree',
      `The sources disagree about block ${number}: ${first.source.name} says ${first.header.hash}, ${other.source.name} says ${other.header.hash}.`,
    )
  }
  const header: Header = first.header
  return { header, encoded: first.encoded, sources: answers.map(({ source }) => source), silent }
}
