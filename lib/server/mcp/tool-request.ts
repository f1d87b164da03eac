import type { Identity } from '#lib/core/context/context.ts'
import { connections } from '../http/connection.ts'
import { quote } from '../http/json.ts'
import type { ApiRequest, BodyReader } from '../http/request.ts'
import type { Tool } from './tools.ts'

/** The argument that carries a token, for connections whose own headers cannot change every five minutes. */
export const ACCESS_TOKEN = 'access_token'

/** Below it, in this process only, are the operations that tools call. */
export const TOOLS_BASE = '/mcp'

/** Headers that identify the client and the trace; every other header of the outer request concerns its own response. */
const PASSED = new Set(['x-forwarded-for', 'traceparent'])

/** Thrown for a tool call that cannot be mapped to a request. */
export class UnusableArguments extends Error {}

/**
 * Maps a tool call to a request of its operation, which validates the input.
 *
 * A cookie is never passed on: any page could then act for the signed-in account.
 *
 * @param outer Headers of the request that brought the call, where there is one.
 * @param identity The account that the connection acts for, where there is one.
 * @throws {UnusableArguments}
 */
export function toolRequest(
  { operation }: Tool,
  args: Readonly<Record<string, unknown>>,
  outer: Pick<Headers, 'get'> | undefined,
  signal: AbortSignal,
  identity?: Identity,
): ApiRequest {
  const remainingArgs = new Map(Object.entries(args))
  const authorization = takeToken(remainingArgs, operation.auth) ?? outer?.get('authorization') ?? null
  const pathname = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = takeText(remainingArgs, name) ?? ''
    if (text === '') throw new UnusableArguments(`${name}: required`)
    return encodeURIComponent(text.toWellFormed())
  })
  const search = new URLSearchParams()
  for (const name of Object.keys(operation.request.query?.shape ?? {})) {
    const text = takeText(remainingArgs, name)
    if (text !== undefined) search.set(name, text)
  }
  const hasBody = operation.request.body !== undefined
  const [unknown] = remainingArgs.keys()
  if (!hasBody && unknown !== undefined) throw new UnusableArguments(`There is no argument ${quote(unknown)}`)
  const headers = new Map([['authorization', authorization]])
  if (hasBody) headers.set('content-type', 'application/json')
  const get = (name: string): string | null => {
    const key = name.toLowerCase()
    return PASSED.has(key) ? (outer?.get(key) ?? null) : (headers.get(key) ?? null)
  }
  return {
    method: operation.method,
    pathname: `${TOOLS_BASE}${pathname}`,
    search: search.size === 0 ? '' : `?${search}`,
    peer: connections().getStore()?.remoteAddress,
    headers: { get, has: (name) => get(name) !== null },
    body: hasBody ? readerOf(JSON.stringify(Object.fromEntries(remainingArgs))) : null,
    signal,
    identity,
  }
}

function takeToken(remainingArgs: Map<string, unknown>, auth: Tool['operation']['auth']): string | undefined {
  const token = remainingArgs.get(ACCESS_TOKEN)
  if (auth === 'none' || token === undefined) return undefined
  remainingArgs.delete(ACCESS_TOKEN)
  if (typeof token !== 'string')
    throw new UnusableArguments(`${ACCESS_TOKEN}: expected the text that log_in returned`)
  return `Bearer ${token.replace(/^Bearer +/i, '')}`
}

/** Reads a number in paths and queries, which are text, as its digits. */
function takeText(remainingArgs: Map<string, unknown>, name: string): string | undefined {
  const value = remainingArgs.get(name)
  remainingArgs.delete(name)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw new UnusableArguments(`${name}: expected text or a number`)
}

function readerOf(text: string): BodyReader {
  let rest: Uint8Array | undefined = new TextEncoder().encode(text)
  return {
    read: async () => {
      const bytes = rest
      rest = undefined
      return bytes
    },
    stop: () => undefined,
  }
}
