import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { etagOf, isNamed, weakEtag } from './etag.ts'
import { isSecret, type Operation, revalidates } from './operation.ts'
import type { ApiResponse } from './response.ts'

const gzipAsync = promisify(gzip)

const TEXT = /^(?:text\/(?!event-stream)|application\/(?:javascript|json|wasm)|image\/svg\+xml)/
/** Bytes; smaller bodies fit into the first packet anyway. */
const MIN_BYTES = 1024
/** Larger bodies are sent faster than they are compressed, on all but slow lines. */
const MAX_BYTES = 1024 * 1024
/** Up to here the default level costs less than a millisecond or two. */
const DEFAULT_LEVEL_BYTES = 128 * 1024
/** Bodies being compressed at a time; beyond it responses are sent plain rather than wait. */
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024

let bytesInFlight = 0

/**
 * The representation of a success that the client accepts: 304 where it has the current one, gzip where it accepts that
 * and the response may be compressed. Streams pass unchanged.
 */
export async function negotiated(
  { status, headers, body }: ApiResponse,
  operation: Operation,
  { acceptEncoding, ifNoneMatch }: Readonly<Record<'acceptEncoding' | 'ifNoneMatch', string | null>>,
): Promise<ApiResponse> {
  if (status !== 200 || body === null || body instanceof ReadableStream) return { status, headers, body }
  const response: ApiResponse = { status, headers, body }
  const hasGzip = hasGzipForm(operation, headers, Buffer.byteLength(body))
  const gzip = hasGzip && acceptsGzip(acceptEncoding)
  if (hasGzip) addVary(headers, 'Accept-Encoding')
  if (revalidates(operation)) {
    const etag = headers.get('etag') ?? etagOf(body)
    headers.set('etag', gzip ? weakEtag(etag) : etag)
  }
  return notModified(response, ifNoneMatch) ?? (gzip ? gzipped(response, body) : response)
}

/** The 304 in place of a response whose ETag the client named; undefined where it did not. */
export function notModified({ headers }: ApiResponse, ifNoneMatch: string | null): ApiResponse | undefined {
  const etag = headers.get('etag')
  if (etag === undefined || !isNamed(ifNoneMatch, etag)) return undefined
  // They describe the body, which a 304 does not have.
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name)
  return { status: 304, headers, body: null }
}

/** Adds the name of a request header to `Vary`. */
export function addVary(headers: Map<string, string>, name: string): void {
  const vary = headers.get('vary')
  headers.set('vary', vary === undefined ? name : `${vary}, ${name}`)
}

/** Whether a success of the operation has a gzip form, for clients that accept one. */
function hasGzipForm(operation: Operation, headers: ApiResponse['headers'], bytes: number): boolean {
  if (bytes <= MIN_BYTES || bytes > MAX_BYTES || isSecret(operation)) return false
  if (headers.get('cache-control')?.includes('no-transform')) return false
  return !headers.has('content-encoding') && TEXT.test(headers.get('content-type') ?? '')
}

/** @returns The gzip form of the response, or the response itself while too much is being compressed. */
async function gzipped(response: ApiResponse, body: string | Uint8Array): Promise<ApiResponse> {
  const { status, headers } = response
  const byteLength = Buffer.byteLength(body)
  if (bytesInFlight + byteLength > MAX_BYTES_IN_FLIGHT) return response
  bytesInFlight += byteLength
  try {
    const level = byteLength > DEFAULT_LEVEL_BYTES ? 1 : 6
    // One chunk: the work is one task on a thread, not one turn of the event loop for every 16 KiB.
    const small = await gzipAsync(body, { level, chunkSize: Math.max(byteLength, MIN_BYTES) })
    headers.set('content-encoding', 'gzip')
    return { status, headers, body: small }
  } finally {
    bytesInFlight -= byteLength
  }
}

const GZIP = /(?:^|[\s,])(?:(?:x-)?gzip|\*)(?:$|[\s,])/i

/** Whether an `Accept-Encoding` prefers gzip to the plain form (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | null | undefined): boolean {
  if (header === null || header === undefined) return false
  // Most clients send no weights.
  if (!header.includes(';')) return GZIP.test(header)
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  const gzipWeight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  // A weight that is no number compares to nothing.
  return gzipWeight > 0 && gzipWeight >= (weights.get('identity') ?? 0)
}
