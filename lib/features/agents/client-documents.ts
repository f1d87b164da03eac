import type { Services } from '#lib/core/context/context.ts'
import { readSome, sendPublic } from '#lib/platform/outbound/public-request.ts'
import { parseTarget, RefusedTarget, type TargetPolicy } from '#lib/platform/outbound/target.ts'
import { Failure } from '#lib/protocol/failure.ts'

/* Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the id of an application is the address of
 * a document that describes it. Anyone may make this server fetch one, so it asks the public Internet only, and little. */

/** Limit that the draft recommends. */
const MAX_BYTES = 5 * 1024
const TIMEOUT_MS = 5_000
const KEPT_MS = 10 * 60_000
const MAX_KEPT = 200
/** A document that could not be used is not fetched again for this time. */
const FAILED_MS = 60_000
/** Fetches at a time. */
const MAX_AT_A_TIME = { all: 16, share: 2, host: 2 }
/** Fetches of the last minute. */
const MAX_A_MINUTE = { all: 240, share: 20, host: 30 }
const MINUTE_MS = 60_000

/** An application that wants to act for accounts. What it says of itself is not verified. */
export interface AgentClient {
  readonly name: string
  readonly redirectUris: readonly string[]
}

type ClientDocument = Readonly<Record<string, unknown>>

interface Stored {
  readonly outcome: AgentClient | Failure
  readonly untilMs: number
}

interface Fetch {
  readonly share: string
  readonly host: string
  readonly startedMs: number
  running: boolean
}

const documents = new Map<string, Stored>()
/** Those of the last minute, and those that run. */
let fetches: readonly Fetch[] = []

/** Whether an id is meant as the address of a document. Ids that are registered here are no addresses. */
export function isDocumentId(id: string): boolean {
  return /^https?:/i.test(id)
}

/**
 * Returns the application that the document at an id describes, as it was within the last ten minutes.
 *
 * @param share Counts the fetch, as `accountShare` has it; undefined for visitors, for whom nothing is fetched.
 * @param describe Reads a document whose id and kind are right; what it throws is thrown.
 * @throws Failure('invalid_request') for an address or a document that cannot be used, Failure('unauthenticated') for visitors
 *   where the document was not fetched lately, Failure('too_many') beyond what is fetched for one share, from one host or at all.
 */
export async function readClientDocument(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  id: string,
  share: string | undefined,
  describe: (document: ClientDocument) => AgentClient,
): Promise<AgentClient> {
  const policy = { allowLoopback: config.webhooksAllowLoopback }
  requireDocumentId(id, policy)
  const nowMs = clock().getTime()
  const entry = documents.get(id)
  if (entry !== undefined && nowMs < entry.untilMs) {
    if (entry.outcome instanceof Failure) throw entry.outcome
    return entry.outcome
  }
  if (share === undefined) {
    throw new Failure('unauthenticated', 'client_id: sign in to see which application it is')
  }
  const fetching: Fetch = { share, host: new URL(id).host, startedMs: nowMs, running: true }
  requirePlace(fetching)
  fetches = [...fetches, fetching]
  try {
    const client = describe(checked(await fetchDocument(id, policy), id))
    store(id, { outcome: client, untilMs: nowMs + KEPT_MS })
    return client
  } catch (error) {
    if (error instanceof Failure) store(id, { outcome: error, untilMs: nowMs + FAILED_MS })
    throw error
  } finally {
    fetching.running = false
  }
}

/** @throws Failure('too_many') */
function requirePlace({ share, host, startedMs }: Fetch): void {
  fetches = fetches.filter((each) => each.running || startedMs - each.startedMs < MINUTE_MS)
  const running = fetches.filter((each) => each.running)
  const isFull = (some: readonly Fetch[], max: Readonly<Record<'all' | 'share' | 'host', number>>) =>
    some.length >= max.all ||
    some.filter((each) => each.share === share).length >= max.share ||
    some.filter((each) => each.host === host).length >= max.host
  if (!isFull(running, MAX_AT_A_TIME) && !isFull(fetches, MAX_A_MINUTE)) return
  throw new Failure('too_many', 'client_id: too many applications connect now; try again', {
    retryAfterSeconds: 5,
  })
}

function store(id: string, stored: Stored): void {
  documents.delete(id)
  documents.set(id, stored)
  // Failures of made-up addresses do not evict applications.
  const evicted = [...documents].find(([, { outcome }]) => outcome instanceof Failure) ?? [...documents][0]
  if (documents.size > MAX_KEPT && evicted !== undefined) documents.delete(evicted[0])
}

/** One spelling only, so that an id is one application. */
function requireDocumentId(id: string, policy: TargetPolicy): void {
  let url: URL
  try {
    url = parseTarget(id, policy)
  } catch (error) {
    if (error instanceof RefusedTarget) refuse(error.message)
    throw error
  }
  if (url.pathname === '/') refuse('its address needs a path')
  if (url.search !== '') refuse('its address must have no query')
  if (url.href !== id) refuse(`its address is spelled ${url.href}`)
}

async function fetchDocument(id: string, policy: TargetPolicy): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const request = {
    method: 'GET',
    headers: { accept: 'application/json', 'user-agent': 'Weft-OAuth/1' },
  } as const
  try {
    const response = await sendPublic(id, request, policy, signal)
    const { statusCode, headers } = response
    // One byte more than allowed tells a longer document.
    const body = await readSome(response, MAX_BYTES + 1, signal)
    if (statusCode !== 200) return refuse(`its document is a ${statusCode}`)
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')) {
      return refuse('its document is no JSON')
    }
    if (body.length > MAX_BYTES) return refuse(`its document has more than ${MAX_BYTES} bytes`)
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    if (error instanceof Failure) throw error
    if (error instanceof RefusedTarget) return refuse(error.message)
    if (error instanceof SyntaxError || error instanceof TypeError) return refuse('its document is no JSON')
    return refuse('its document cannot be fetched')
  }
}

function checked(document: unknown, id: string): ClientDocument {
  if (typeof document !== 'object' || document === null) return refuse('its document is no object')
  const fields = document as ClientDocument
  if (fields.client_id !== id) refuse('its document has another client_id')
  if (fields.client_secret !== undefined || (fields.token_endpoint_auth_method ?? 'none') !== 'none') {
    refuse('only applications without a secret are possible (token_endpoint_auth_method: none)')
  }
  return fields
}

function refuse(reason: string): never {
  throw new Failure('invalid_request', `client_id: ${reason}`)
}
