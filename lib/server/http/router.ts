import type { Method, Operation } from './operation.ts'

/** A documented path and the operations that share it. */
export interface Route {
  readonly path: string
  readonly operations: ReadonlyMap<Method, Operation>
}

export interface RouteMatch {
  readonly route: Route
  /** Decoded, by placeholder; `undefined` where the percent-encoding is broken. */
  readonly params: Readonly<Record<string, string | undefined>>
}

interface CompiledRoute extends Route {
  readonly segments: readonly Segment[]
}

type Segment =
  | { readonly text: string }
  | { readonly placeholder: string }
  /** The last segment: takes all that remain. */
  | { readonly rest: string }

/**
 * Matches raw paths, so that an encoded slash stays inside its segment.
 *
 * @returns A function from a path below the base (`/connector/pitch`) to its route, `undefined` when none fits.
 */
export function createRouter(operations: readonly Operation[]): (path: string) => RouteMatch | undefined {
  const byPath = new Map<string, Map<Method, Operation>>()
  for (const operation of operations) {
    const methods = byPath.get(operation.path) ?? new Map<Method, Operation>()
    if (methods.has(operation.method))
      throw new Error(`Two operations for ${operation.method} ${operation.path}`)
    byPath.set(operation.path, methods.set(operation.method, operation))
  }
  // Fixed segments win over placeholders, whatever the order of declaration.
  const routes = [...byPath]
    .map(
      ([path, methods]): CompiledRoute => ({ path, operations: methods, segments: compile(path, methods) }),
    )
    .toSorted((a, b) => placeholders(a) - placeholders(b))

  return (path) => {
    const raw = path.split('/').slice(1)
    const decoded = raw.map(decodeSegment)
    for (const route of routes) {
      const params = match(route.segments, decoded)
      if (params !== undefined) return { route, params }
    }
    return undefined
  }
}

function compile(path: string, operations: ReadonlyMap<Method, Operation>): Segment[] {
  const rest = [...operations.values()].find(({ restParam }) => restParam !== undefined)?.restParam
  return path
    .split('/')
    .slice(1)
    .map((text) => {
      if (!text.startsWith('{')) return { text }
      const name = text.slice(1, -1)
      return name === rest ? { rest: name } : { placeholder: name }
    })
}

function placeholders(route: CompiledRoute): number {
  return route.segments.filter((segment) => !('text' in segment)).length
}

function match(
  segments: readonly Segment[],
  decoded: readonly (string | undefined)[],
): Record<string, string | undefined> | undefined {
  const last = segments.at(-1)
  const hasRest = last !== undefined && 'rest' in last
  if (hasRest ? decoded.length < segments.length : decoded.length !== segments.length) return undefined
  const params: Record<string, string | undefined> = {}
  for (const [index, segment] of segments.entries()) {
    const value = decoded[index]
    if ('rest' in segment) {
      const parts = decoded.slice(index)
      // An encoded slash would make two paths equal.
      if (parts.some((part) => part === '' || part?.includes('/') === true)) return undefined
      params[segment.rest] = parts.includes(undefined) ? undefined : parts.join('/')
    } else if ('text' in segment) {
      if (segment.text !== value) return undefined
    } else if (value === '') {
      return undefined
    } else {
      params[segment.placeholder] = value
    }
  }
  return params
}

/** Undoes percent-encoding; `undefined` when it is malformed or not UTF-8. */
export function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
