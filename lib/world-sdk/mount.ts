import { ORIGIN_PARAMETER, TOKEN_PARAMETERS } from './protocol.ts'

/** The token in the URL of a World: in its query, or behind a `?` inside its hash. */
export function findToken(location: Pick<Location, 'search' | 'hash'>): string | undefined {
  for (const query of queriesOf(location)) {
    for (const name of TOKEN_PARAMETERS) {
      const token = query.get(name)
      if (token) return token
    }
  }
  return undefined
}

/**
 * Origin of the page around a World, as far as the browser, the referrer or the page itself tells it; undefined when
 * nobody does. The frame's own origin is no guess: Worlds may be served from elsewhere.
 */
export function findParentOrigin(world: Pick<Window, 'location' | 'document'>): string | undefined {
  const ancestor = world.location?.ancestorOrigins?.[0]
  const candidates = [
    ancestor,
    originOf(world.document?.referrer),
    ...queriesOf(world.location).map((query) => originOf(query.get(ORIGIN_PARAMETER))),
  ]
  return candidates.find((origin) => origin !== undefined && origin !== '' && origin !== 'null')
}

function queriesOf(location: Pick<Location, 'search' | 'hash'> | undefined): URLSearchParams[] {
  const hash = location?.hash ?? ''
  const mark = hash.indexOf('?')
  return [
    new URLSearchParams(location?.search ?? ''),
    new URLSearchParams(mark < 0 ? '' : hash.slice(mark + 1)),
  ]
}

function originOf(url: string | null | undefined): string | undefined {
  try {
    return url ? new URL(url).origin : undefined
  } catch {
    return undefined
  }
}
