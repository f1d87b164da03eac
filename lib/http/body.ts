import { Failure } from '../domain/failure.ts'

/** A body that is not JSON by its own announcement. Shown as 415. */
export class UnsupportedMediaType extends Error {}

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
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > maxBytes) throw tooLarge(maxBytes)
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > maxBytes) {
        // Not awaited: a client that never stops sending must not delay its answer.
        reader.cancel().catch(() => undefined)
        throw tooLarge(maxBytes)
      }
      text += decoder.decode(value, { stream: true })
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
