import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer } from './answer.ts'
import { isSecret, type Operation } from './operation.ts'

const gzipAsync = promisify(gzip)

const TEXT = /^(?:text\/(?!event-stream)|application\/(?:javascript|json|wasm)|image\/svg\+xml)/
/** Bytes; smaller bodies fit into the first packet anyway. */
const MIN_BYTES = 1024
/** Larger bodies are sent faster than they are compressed, on all but slow lines. */
const MAX_BYTES = 1024 * 1024
/** Up to here the default level costs less than a millisecond or two. */
const DEFAULT_LEVEL_BYTES = 128 * 1024
/** Bodies in compression at a time; beyond it answers go out as they are rather than wait. */
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024

let bytesInFlight = 0

/** Whether a success of the operation has a gzip form, for clients that accept one. */
export function hasGzipForm(operation: Operation, { status, headers, body }: Answer): boolean {
  if (status !== 200 || !(body instanceof Uint8Array) || isSecret(operation)) return false
  if (headers.get('cache-control')?.includes('no-transform')) return false
  if (body.byteLength <= MIN_BYTES || body.byteLength > MAX_BYTES) return false
  return !headers.has('content-encoding') && TEXT.test(headers.get('content-type') ?? '')
}

/** @returns The gzip form of the answer, or the answer itself while too much is being compressed. */
export async function gzipped(answer: Answer): Promise<Answer> {
  const { status, headers, body } = answer
  if (!(body instanceof Uint8Array) || bytesInFlight + body.byteLength > MAX_BYTES_IN_FLIGHT) return answer
  const { byteLength } = body
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
