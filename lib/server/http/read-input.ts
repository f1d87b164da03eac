import { Failure } from '#lib/protocol/failure.ts'
import { readText, requireJsonType, requirePlainCoding } from './body.ts'
import { readJson } from './json.ts'
import { readFile } from './multipart.ts'
import { DEFAULT_MAX_BODY_BYTES, type ErasedInput, type Operation } from './operation.ts'
import type { ApiRequest } from './request.ts'
import { decodeSegment, type RouteMatch } from './router.ts'
import { validate } from './validate.ts'

/**
 * Reads and validates the inputs of an operation.
 *
 * @throws {Failure} For the first problem, in the order query, headers, body.
 */
export async function readInput(
  operation: Operation,
  params: unknown,
  request: ApiRequest,
): Promise<ErasedInput> {
  const { body, file, text, maxBodyBytes } = operation.request
  return {
    params,
    query: readQueryOf(operation, request.search),
    search: operation.request.search && new URLSearchParams(request.search),
    headers: readHeaders(operation, request),
    body: body && (await readBody(body, request, maxBodyBytes)),
    file: file && (await readFileOf(file, request)),
    text: text && (await readText(request, text.maxBytes)),
  }
}

export function readParams(operation: Operation, match: RouteMatch): unknown {
  const { params: schema, invalidParams } = operation.request
  if (schema === undefined) return undefined
  const broken = Object.keys(match.params).find((name) => match.params[name] === undefined)
  if (broken !== undefined) {
    throw new Failure(invalidParams ?? 'invalid_request', `${broken}: broken percent-encoding`)
  }
  return validate(schema, match.params, 'path', invalidParams)
}

function readQueryOf(operation: Operation, search: string): unknown {
  const schema = operation.request.query
  if (schema === undefined) return undefined
  return validate(schema, readQuery(search, new Set(Object.keys(schema.shape))), 'query')
}

function readHeaders(operation: Operation, { headers }: ApiRequest): unknown {
  const schema = operation.request.headers
  if (schema === undefined) return undefined
  const entries = Object.keys(schema.shape).flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return validate(schema, Object.fromEntries(entries), 'headers')
}

async function readBody(
  schema: NonNullable<Operation['request']['body']>,
  request: ApiRequest,
  maxBytes = DEFAULT_MAX_BODY_BYTES,
): Promise<unknown> {
  requirePlainCoding(request.headers.get('content-encoding'))
  requireJsonType(request.headers.get('content-type'))
  const text = await readText(request, maxBytes)
  return validate(schema, readJson(text), 'body')
}

async function readFileOf(
  file: NonNullable<Operation['request']['file']>,
  request: ApiRequest,
): Promise<Uint8Array> {
  requirePlainCoding(request.headers.get('content-encoding'))
  return readFile(request, file)
}

/**
 * Reads the known keys of a query string, decoded. Unknown keys are ignored, however odd.
 *
 * @param search With or without the leading `?`.
 * @throws {Failure} `invalid_request` for a repeated known key or a broken encoding of its value.
 */
export function readQuery(search: string, knownNames: ReadonlySet<string>): Record<string, string> {
  const values: Record<string, string> = {}
  for (const pair of search.replace(/^\?/, '').split('&')) {
    const cut = pair.indexOf('=')
    const key = decode(cut < 0 ? pair : pair.slice(0, cut))
    if (key === undefined || !knownNames.has(key)) continue
    const value = decode(cut < 0 ? '' : pair.slice(cut + 1))
    if (value === undefined) throw new Failure('invalid_request', `${key}: broken percent-encoding`)
    if (Object.hasOwn(values, key)) throw new Failure('invalid_request', `${key}: given more than once`)
    values[key] = value
  }
  return values
}

function decode(text: string): string | undefined {
  return decodeSegment(text.replaceAll('+', ' '))
}
