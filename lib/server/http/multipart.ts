import {
  MaxFileSizeExceededError,
  MaxTotalSizeExceededError,
  MultipartParser,
} from '@remix-run/multipart-parser'
import { Failure } from '#lib/protocol/failure.ts'
import type { ApiRequest } from './request.ts'

/** One file of a form. */
export interface FileShape {
  /** Name of the form's field. */
  readonly field: string
  /** Largest file in bytes; a larger one is a 413. */
  readonly maxBytes: number
  /** Description of the file, for the reference page. */
  readonly description: string
}

/** For boundaries, part headers and small fields beside the file. */
const OVERHEAD_BYTES = 64 * 1024
const MAX_PARTS = 20

/**
 * Reads the one file of a `multipart/form-data` body, counting its bytes as they arrive: `Content-Length` only refuses
 * early. Ignores other fields.
 *
 * @throws {Failure} `payload_too_large` as soon as the file or the body is too large, `invalid_request` for another or a
 * truncated body, and unless it holds the file exactly once.
 */
export async function readFile(
  { headers, body }: Pick<ApiRequest, 'headers' | 'body'>,
  { field, maxBytes }: FileShape,
): Promise<Uint8Array> {
  const boundary = boundaryOf(headers.get('content-type'))
  if (boundary === undefined) {
    throw new Failure('invalid_request', `Send multipart/form-data with the file in field "${field}"`)
  }
  const maxBody = maxBytes + OVERHEAD_BYTES
  if (Number(headers.get('content-length') ?? 0) > maxBody) throw tooLarge(maxBytes)
  const parser = new MultipartParser(boundary, {
    maxFileSize: maxBytes,
    maxTotalSize: maxBody,
    maxParts: MAX_PARTS,
  })
  let file: Uint8Array | undefined
  let received = 0
  try {
    for (;;) {
      const chunk = await body?.read()
      if (chunk === undefined) break
      received += chunk.byteLength
      if (received > maxBody) throw tooLarge(maxBytes)
      for (const part of parser.write(chunk)) {
        if (part.name !== field) continue
        if (file !== undefined)
          throw new Failure('invalid_request', `Field "${field}" is given more than once`)
        file = part.bytes
      }
    }
    parser.finish()
  } catch (error) {
    body?.stop()
    throw toFailure(error, maxBytes)
  }
  if (file === undefined) throw new Failure('invalid_request', `The form has no field "${field}"`)
  return file
}

function toFailure(error: unknown, maxBytes: number): Failure {
  if (error instanceof Failure) return error
  if (error instanceof MaxFileSizeExceededError || error instanceof MaxTotalSizeExceededError) {
    return tooLarge(maxBytes)
  }
  return new Failure(
    'invalid_request',
    'The form could not be read: it is malformed or broke off',
    {},
    { cause: error },
  )
}

function boundaryOf(contentType: string | null): string | undefined {
  if (contentType === null || !/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  return match?.[1] ?? match?.[2]
}

function tooLarge(maxBytes: number): Failure {
  const limit = maxBytes % 1_048_576 === 0 ? `${maxBytes / 1_048_576} MiB` : `${maxBytes} bytes`
  return new Failure('payload_too_large', `The file is larger than ${limit}`)
}
