import { Failure } from '../domain/failure.ts'
import { readText, requireJsonType, requirePlainCoding } from './body.ts'
import type { Incoming } from './incoming.ts'
import { readJson } from './json.ts'
import { readFile } from './multipart.ts'
import { DEFAULT_MAX_BODY_BYTES, type ErasedInput, type Operation } from './operation.ts'
import { readQuery } from './query.ts'
import type { RouteMatch } from './router.ts'
import { validate } from './validate.ts'

/**
 * What an operation asks of a request, validated.
 *
 * @throws {Failure} For the first thing that is wrong, the path before the query before the headers before the body.
 */
export async function readInput(
  operation: Operation,
  params: unknown,
  request: Incoming,
): Promise<ErasedInput> {
  return {
    params,
    query: readQueryOf(operation, request.search),
    headers: readHeaders(operation, request),
    body: await readBody(operation, request),
    file: await readFileOf(operation, request),
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

function readHeaders(operation: Operation, { headers }: Incoming): unknown {
  const schema = operation.request.headers
  if (schema === undefined) return undefined
  const given = Object.keys(schema.shape).flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return validate(schema, Object.fromEntries(given), 'headers')
}

async function readBody(operation: Operation, request: Incoming): Promise<unknown> {
  const { body: schema, maxBodyBytes } = operation.request
  if (schema === undefined) return undefined
  requirePlainCoding(request.headers.get('content-encoding'))
  requireJsonType(request.headers.get('content-type'))
  const text = await readText(request, maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES)
  return validate(schema, readJson(text), 'body')
}

async function readFileOf(operation: Operation, request: Incoming): Promise<Uint8Array | undefined> {
  const { file } = operation.request
  if (file === undefined) return undefined
  requirePlainCoding(request.headers.get('content-encoding'))
  return readFile(request, file)
}
