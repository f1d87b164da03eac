import { KIND_CODE } from '#lib/protocol/entity.ts'
import type { ChainClient } from './chain.ts'
import type { components } from './chain-schema.ts'
import { refusalOf, WeftError } from './errors.ts'
import type { ServicesClient } from './services.ts'
import { type MessageSigner, signIn, signInToServices } from './sign-in.ts'
import { createSiteClock } from './site-clock.ts'
import { type AuthorWords, encodeWords } from './words.ts'

/** A transaction that publishes, as signers take it. */
export interface PublicationTransaction {
  readonly type: 'eip1559'
  readonly to: `0x${string}`
  readonly data: `0x${string}`
  readonly value: bigint
  readonly chainId: number
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** An account that signs transactions too. Local accounts of viem fit. */
export interface TransactionSigner extends MessageSigner {
  signTransaction(transaction: PublicationTransaction): Promise<string>
}

/** An entity by kind and name. */
export interface EntityRef {
  readonly kind: 'connector' | 'transformation' | 'condition'
  readonly name: string
}

/** An entity that is on chain. */
export interface Published extends EntityRef {
  /** Address of the entity's code. */
  readonly address: string
  /** Hash of the transaction; undefined where it was published before. */
  readonly txHash: string | undefined
  readonly block: number | undefined
}

/** Words of a publication, and the API that prepares a publication with words. */
export interface PublicationWords {
  readonly content: AuthorWords
  readonly services: ServicesClient
  /** Scheme and host of the site, for the sign-in to its services API. */
  readonly origin: string
}

/** Options of `publish`. */
export interface PublishOptions {
  /** Called after each entity is on chain. */
  readonly onPublished?: (published: Published) => void
  /** Wei that all transactions together may cost at most. Default: 0.05 of the chain's currency. */
  readonly maxCost?: bigint
  /** Words that are published with the entity itself; what it needs is published without any. */
  readonly words?: PublicationWords
  readonly signal?: AbortSignal
}

type Prepared = components['schemas']['PreparedPublication']
type Prepare = Prepared | components['schemas']['AlreadyPublished']

const DEFAULT_MAX_COST = 50_000_000_000_000_000n
/** First bytes of calls of `Registry.publish`. */
const PUBLISH_SELECTOR = '0x4d4a5d2b'
const POLL_MS = 500
/** Seconds after the deadline of a publication in which a block may still be seen late. */
const DEADLINE_GRACE_S = 300

/**
 * Publishes a draft of an account, and before it those of its dependencies that are not published. Can be repeated:
 * what is published already is not sent again.
 *
 * Checks before signing that a transaction calls `publish` for the named entity, sends no value, fits `maxCost`, and
 * carries exactly the words.
 * The address of the registry is the server's word.
 *
 * @returns What is published, in order; the entity itself is the last.
 * @throws WeftError when the API refuses, with the status and a sentence that says what to do.
 */
export async function publish(
  chain: ChainClient,
  account: TransactionSigner,
  entity: EntityRef,
  options: PublishOptions = {},
): Promise<Published[]> {
  // Refuses words before anything is published.
  const metadata = options.words && encodeWords(options.words.content)
  const steps = stepsOf(chain, account, options)
  const published = new Map<string, Published>()
  let budget = options.maxCost ?? DEFAULT_MAX_COST
  const worded = async (ref: EntityRef, prepared: Prepared): Promise<Prepared> => {
    if (ref !== entity || options.words === undefined || metadata === undefined) return prepared
    const again = await steps.withWords(ref, prepared, options.words)
    if (!carries(again.transaction.data, metadata)) {
      throw new Error('The server prepared a transaction with other words: nothing was signed')
    }
    return again
  }
  const visit = async (ref: EntityRef, above: readonly string[]): Promise<void> => {
    const label = `${ref.kind}/${ref.name}`
    for (;;) {
      const prepared = await steps.prepare(ref)
      if ('missing' in prepared) {
        for (const missing of prepared.missing) {
          if (published.has(missing) || missing === label || above.includes(missing)) {
            throw new Error(`${label} cannot be published: the server says again that ${missing} is missing`)
          }
          await visit(refOf(missing), [...above, label])
        }
        continue
      }
      const one =
        prepared.status === 'published'
          ? { ...ref, address: prepared.address, txHash: undefined, block: undefined }
          : await steps.send(ref, await worded(ref, prepared), (cost) => {
              if (cost > budget) {
                throw new Error(
                  `Publishing ${label} may cost ${cost} wei, and ${budget} are left: nothing was sent for it. Raise maxCost.`,
                )
              }
              budget -= cost
            })
      published.set(label, one)
      options.onPublished?.(one)
      return
    }
  }
  await visit(entity, [])
  return [...published.values()]
}

/** The requests of one account, which sign in again where a token has expired. */
function stepsOf(chain: ChainClient, account: TransactionSigner, { signal }: PublishOptions) {
  let token: string | undefined
  const clock = createSiteClock()
  const authorised = async <T extends { readonly response: Response }>(
    request: (init: { headers: Record<string, string>; signal?: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    for (const last of [false, true]) {
      token ??= await signIn(chain, account)
      const headers = { Authorization: `Bearer ${token}` }
      const answer = await request({ headers, ...(signal && { signal }) })
      clock.note(answer.response.headers)
      if (answer.response.status !== 401 || last) return answer
      token = undefined
    }
    throw new Error('unreachable')
  }

  /** Prepares what to sign; otherwise says where it is published, or what is missing. */
  const prepare = async ({
    kind,
    name,
  }: EntityRef): Promise<Prepare | { readonly missing: readonly string[] }> => {
    const { data, error, response } = await authorised((init) =>
      chain.POST('/publish/{kind}/prepare', {
        params: { path: { kind } },
        body: { name, relay: true },
        ...init,
      }),
    )
    if (data !== undefined) return data
    const missing = (error as { missing?: unknown } | undefined)?.missing
    const mismatched = (error as { mismatched?: unknown } | undefined)?.mismatched
    if (Array.isArray(missing) && missing.length > 0 && mismatched === undefined) {
      return { missing: missing.map(String) }
    }
    throw refusalOf(error, response)
  }

  /** The preparation of a publication again, with words. */
  const withWords = async (
    { kind, name }: EntityRef,
    { transaction }: Prepared,
    { content, services, origin }: PublicationWords,
  ): Promise<Prepared> => {
    const token = await signInToServices(services, account, { origin, chainId: Number(transaction.chainId) })
    const { made_from, present, ...texts } = content
    const { data, error, response } = await services.POST('/publication-preparation', {
      body: {
        kind,
        name,
        relay: true,
        words: {
          ...texts,
          ...(made_from && { made_from: [...made_from] }),
          ...(present && { present: { ...present } }),
        },
      },
      headers: { Authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    })
    if (data === undefined) throw refusalOf(error, response)
    if (data.status !== 'prepared')
      throw new Error(`${kind}/${name} was published meanwhile: without these words`)
    return data
  }

  const send = async (
    entity: EntityRef,
    prepared: Prepared,
    spend: (cost: bigint) => void,
  ): Promise<Published> => {
    const { kind, name } = entity
    const transaction = transactionOf(prepared, entity)
    spend(transaction.gas * transaction.maxFeePerGas)
    const raw_tx = await account.signTransaction(transaction)
    const params = { path: { kind } }
    const about = { name, content_hash: prepared.content_hash }
    const result = await authorised((init) =>
      chain.POST('/publish/{kind}/send', { params, body: { ...about, raw_tx }, ...init }),
    )
    if (result.data === undefined) throw refusalOf(result.error, result.response)
    return confirmed(entity, prepared, result.data.tx_hash)
  }

  const confirmed = async (
    { kind, name }: EntityRef,
    prepared: Prepared,
    tx_hash: string,
  ): Promise<Published> => {
    const params = { path: { kind } }
    const about = { name, content_hash: prepared.content_hash }
    for (;;) {
      const { data, error, response } = await authorised((init) =>
        chain.POST('/publish/{kind}', { params, body: { ...about, tx_hash }, ...init }),
      ).catch((failure: unknown) => {
        // The transaction is sent: a lost connection says nothing about it.
        if (signal?.aborted || failure instanceof WeftError) throw failure
        return { data: undefined, error: undefined, response: new Response(null, { status: 503 }) }
      })
      if (data !== undefined && 'block_number' in data) {
        return { kind, name, address: data.address, txHash: tx_hash, block: data.block_number }
      }
      if (![202, 429, 503].includes(response.status)) throw refusalOf(error, response)
      if (clock.now() / 1000 > prepared.deadline + DEADLINE_GRACE_S) {
        throw new Error(`${kind}/${name}: the transaction ${tx_hash} was not mined in time. Publish again.`)
      }
      await pause(POLL_MS, signal)
    }
  }
  return { prepare, withWords, send }
}

/** @throws Error for a transaction that does anything but publish `entity`. */
function transactionOf({ transaction, signing }: Prepared, entity: EntityRef): PublicationTransaction {
  const { to, data, chainId, gas } = transaction
  if (signing === undefined) throw new Error('The server prepared no nonce and fees')
  if (!isHex(to) || !isHex(data) || !data.startsWith(PUBLISH_SELECTOR)) {
    throw new Error('The server prepared a transaction that does not publish: nothing was signed')
  }
  if (!publishes(data, entity)) {
    throw new Error(
      `The server prepared a transaction that publishes something else than ${entity.kind}/${entity.name}: nothing was signed`,
    )
  }
  return {
    type: 'eip1559',
    to,
    data,
    value: 0n,
    chainId: Number(chainId),
    nonce: Number(signing.nonce),
    gas: BigInt(gas),
    maxFeePerGas: BigInt(signing.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(signing.maxPriorityFeePerGas),
  }
}

/** Whether calldata of `Registry.publish` carries the kind and name of an entity. */
function publishes(data: string, { kind, name }: EntityRef): boolean {
  const args = data.slice(PUBLISH_SELECTOR.length)
  // NaN beyond the end, which no comparison below accepts.
  const word = (at: number) => Number.parseInt(args.slice(at * 2, at * 2 + 64), 16)
  const publication = word(0)
  const text = publication + word(publication + 32)
  const begin = (text + 32) * 2
  const carried = args.slice(begin, begin + word(text) * 2).toLowerCase()
  const bytes = [...new TextEncoder().encode(name)]
  const expected = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return word(publication) === KIND_CODE[kind] && word(text) === bytes.length && carried === expected
}

/** Whether calldata of `Registry.publish` ends with metadata, as the canonical encoding does. */
function carries(data: string, metadata: string): boolean {
  const args = data.slice(PUBLISH_SELECTOR.length)
  const word = (at: number) => Number.parseInt(args.slice(at * 2, at * 2 + 64), 16)
  const publication = word(0)
  const begin = publication + word(publication + 7 * 32)
  const bytes = metadata.slice(2)
  return word(begin) * 2 === bytes.length && args.startsWith(bytes, (begin + 32) * 2)
}

function isHex(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]*$/.test(text)
}

function refOf(label: string): EntityRef {
  const [, kind, name] = /^(connector|transformation|condition)\/(\w{1,128})$/.exec(label) ?? []
  if (kind === undefined || name === undefined) throw new Error(`The server named a dependency "${label}"`)
  return { kind: kind as EntityRef['kind'], name }
}

/** Resolves after a time. @throws the reason of the signal. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const aborted = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', aborted, { once: true })
  })
}
