import type { Answer } from './answer.ts'
import { acceptsGzip, gzipped, hasGzipForm } from './content-coding.ts'
import { etagOf, isNamed, weakEtag } from './etag.ts'
import type { Incoming } from './incoming.ts'
import { type Operation, revalidates } from './operation.ts'

/**
 * The form of a success that its client asked for: 304 where the client has it already, gzip where the client takes that
 * and the answer may be compressed. Streams pass untouched.
 */
export async function represent(
  { status, headers, body }: Answer,
  operation: Operation,
  { headers: asked }: Pick<Incoming, 'headers'>,
): Promise<Answer> {
  if (status !== 200 || body === null || body instanceof ReadableStream) return { status, headers, body }
  const answer: Answer = { status, headers, body: typeof body === 'string' ? Buffer.from(body) : body }
  const hasGzip = hasGzipForm(operation, answer)
  const gzip = hasGzip && acceptsGzip(asked.get('accept-encoding'))
  if (hasGzip) addVary(headers, 'Accept-Encoding')
  if (revalidates(operation)) {
    const etag = headers.get('etag') ?? etagOf(answer.body as Uint8Array)
    headers.set('etag', gzip ? weakEtag(etag) : etag)
  }
  return notModified(answer, asked.get('if-none-match')) ?? (gzip ? gzipped(answer) : answer)
}

/** The 304 in place of an answer whose ETag the client named; undefined where it did not. */
export function notModified({ headers }: Answer, ifNoneMatch: string | null | undefined): Answer | undefined {
  const etag = headers.get('etag')
  if (etag === undefined || !isNamed(ifNoneMatch, etag)) return undefined
  const kept = [...headers].filter(([name]) => !isOfBody(name))
  return { status: 304, headers: new Map(kept), body: null }
}

/** Whether a header describes the body, which a 304 does not have. */
export function isOfBody(name: string): boolean {
  return name === 'content-type' || name === 'content-length' || name === 'content-encoding'
}

/** Adds the name of a request header to `Vary`. */
export function addVary(headers: Map<string, string>, name: string): void {
  const vary = headers.get('vary')
  headers.set('vary', vary === undefined ? name : `${vary}, ${name}`)
}
