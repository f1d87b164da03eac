import { Failure } from '#lib/protocol/failure.ts'
import type { ApiRequest } from './request.ts'

/** A Content-Type or Content-Encoding that is not supported. Becomes a 415. */
export class UnsupportedMediaType extends Error {
  /** `Accept-Encoding` where the encoding is the problem (RFC 9110, 12.5.3). */
  readonly headers: Readonly<Record<string, string>>

  constructor(message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.headers = headers
  }
}

/**
 * Refuses compressed bodies, whose decompressed size is unbounded.
 *
 * @param header The `Content-Encoding` of the request.
 * @throws {UnsupportedMediaType}
 */
export function requirePlainCoding(header: string | null): void {
  if (header === null || /^\s*(?:identity\s*)?$/i.test(header)) return
  throw new UnsupportedMediaType('Send the body as it is, without a Content-Encoding', {
    'accept-encoding': 'identity',
  })
}

/**
 * Refuses a `Content-Type` other than JSON in UTF-8. Without the header the body is read as JSON.
 *
 * @throws {UnsupportedMediaType}
 */
export function requireJsonType(header: string | null): void {
  if (header === null || header.trim() === '') return
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const json = type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (!json || !utf8) throw new UnsupportedMediaType('Send the body as application/json in UTF-8')
}

/**
 * Reads a body, counting its bytes as they arrive: `Content-Length` only refuses early.
 *
 * @throws {Failure} `payload_too_large` beyond `maxBytes`, `invalid_request` for text that is not UTF-8 or a truncated
 * body.
 */
export async function readText(
  { headers, body }: Pick<ApiRequest, 'headers' | 'body'>,
  maxBytes: number,
): Promise<string> {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (body === null) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  let text = ''
  try {
    for (;;) {
      const chunk = await body.read()
      if (chunk === undefined) return text + decoder.decode()
      bytes += chunk.byteLength
      if (bytes > maxBytes) {
        body.stop()
        throw tooLarge(maxBytes)
      }
      text += decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    if (error instanceof TypeError) throw new Failure('invalid_request', 'The body is not UTF-8 text')
    throw new Failure('invalid_request', 'The body could not be read', {}, { cause: error })
  }
}

function tooLarge(maxBytes: number): Failure {
  return new Failure('payload_too_large', `The body is larger than ${maxBytes} bytes`)
}
