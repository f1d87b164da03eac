import type { Services } from '#lib/core/context/context.ts'
import { readSome, sendPublic } from '#lib/platform/outbound/public-request.ts'
import { parseTarget, RefusedTarget, type TargetPolicy } from '#lib/platform/outbound/target.ts'
import { Failure } from '#lib/protocol/failure.ts'

/* Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the id of an application is the address of
 * a document that describes it. Anyone may make this server fetch one, so it asks the public Internet only, and little. */

/** What the draft recommends. */
const MAX_BYTES = 5 * 1024
const TIMEOUT_MS = 5_000
const KEPT_MS = 10 * 60_000
const MAX_KEPT = 200
/** Fetches at a time, of all applications. */
const MAX_FETCHES = 8

/** An application that wants to act for accounts. What it says of itself is not verified. */
export interface AgentClient {
  readonly name: string
  readonly redirectUris: readonly string[]
}

type ClientDocument = Readonly<Record<string, unknown>>

const kept = new Map<string, { readonly client: AgentClient; readonly untilMs: number }>()
let fetches = 0

/** Whether an id is meant as the address of a document. Ids that are registered here are no addresses. */
export function isDocumentId(id: string): boolean {
  return /^https?:/i.test(id)
}

/**
 * Returns the application that the document at an id describes, as it was within the last ten minutes.
 *
 * @param describe Reads a document whose id and kind are right; what it throws is thrown, and nothing is kept.
 * @throws Failure('invalid_request') for an address or a document that cannot be used, Failure('too_many') while many
 *   others are fetched.
 */
export async function readClientDocument(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  id: string,
  describe: (document: ClientDocument) => AgentClient,
): Promise<AgentClient> {
  const policy = { allowLoopback: config.webhooksAllowLoopback }
  requireDocumentId(id, policy)
  const nowMs = clock().getTime()
  const known = kept.get(id)
  if (known !== undefined && nowMs < known.untilMs) return known.client
  if (fetches >= MAX_FETCHES) {
    throw new Failure('too_many', 'client_id: too many applications connect now; try again', {
      retryAfterSeconds: 5,
    })
  }
  fetches++
  try {
    const client = describe(checked(await fetchDocument(id, policy), id))
    kept.delete(id)
    kept.set(id, { client, untilMs: nowMs + KEPT_MS })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return client
  } finally {
    fetches--
  }
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
  const given = document as ClientDocument
  if (given.client_id !== id) refuse('its document has another client_id')
  if (given.client_secret !== undefined || (given.token_endpoint_auth_method ?? 'none') !== 'none') {
    refuse('only applications without a secret are possible (token_endpoint_auth_method: none)')
  }
  return given
}

function refuse(reason: string): never {
  throw new Failure('invalid_request', `client_id: ${reason}`)
}
