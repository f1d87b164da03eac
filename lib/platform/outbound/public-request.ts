import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { parseTarget, resolveTarget, type TargetPolicy } from './target.ts'

export interface PublicRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Sends a request to an address that a stranger named, and to the public Internet only. Redirects are not followed.
 *
 * @throws RefusedTarget for an address that is not public, Error without an answer.
 */
export async function sendPublic(
  target: string,
  { method, headers, body }: PublicRequest,
  policy: TargetPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = parseTarget(target, policy)
  const resolved = await resolveTarget(url, policy, undefined, signal)
  const request: typeof httpsRequest = url.protocol === 'https:' ? httpsRequest : httpRequest
  const answer = Promise.withResolvers<IncomingMessage>()
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const clientRequest: ClientRequest = request(url, {
    method,
    // No connection is kept for, or shared with, another receiver.
    agent: false,
    signal,
    // The address that was checked; looked up again, the name could lead elsewhere.
    lookup: (_host, options, callback) => {
      if (options.all === true) callback(null, [resolved])
      else callback(null, resolved.address, resolved.family)
    },
    headers: {
      ...headers,
      ...(bytes !== undefined && { 'content-length': bytes.length }),
      connection: 'close',
    },
  })
  clientRequest.once('response', answer.resolve)
  // Stays: a connection that is destroyed after its answer may fail once more.
  clientRequest.on('error', answer.reject)
  clientRequest.end(bytes)
  return answer.promise
}

/** Reads at most so many bytes of an answer and ends the connection. */
export async function readSome(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) break
    }
  } finally {
    response.destroy()
  }
  signal.throwIfAborted()
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
