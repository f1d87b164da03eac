import { Failure } from '../domain/failure.ts'
import type { Incoming } from './incoming.ts'

/** A body of an announced type or coding that is not read. Shown as 415. */
export class UnsupportedMediaType extends Error {
  /** What to say of the codings that are read, where the coding is what is wrong (RFC 9110, 12.5.3). */
  readonly headers: Readonly<Record<string, string>>

  constructor(message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.headers = headers
  }
}

/**
 * Refuses a compressed body: what a few bytes become is not bounded by their number.
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
 * Refuses a body announced as something else than UTF-8 JSON. A missing announcement passes.
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
 * Collects a body, counting as it arrives: an announced length is only a first hint.
 *
 * @throws {Failure} `payload_too_large` beyond `maxBytes`, `invalid_request` for text that is not UTF-8 or a body
 * that breaks off.
 */
export async function readText(
  { headers, body }: Pick<Incoming, 'headers' | 'body'>,
  maxBytes: number,
): Promise<string> {
  const announced = Number(headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
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
