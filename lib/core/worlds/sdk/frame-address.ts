import { type Dialect, ORIGIN_PARAMETER, TOKEN_PARAMETERS } from './protocol.ts'

/** Dialects of the pages whose URLs have the token under one name alone. */
const SPOKEN: Readonly<Record<(typeof TOKEN_PARAMETERS)[number], Dialect>> = {
  dcnWorldChannel: 'dcn',
  worldChannel: 'decentralised.art',
}

/** The token in the URL of a World, in its query or in a query inside its hash, with the dialect that its name implies. */
export function findToken(
  location: Pick<Location, 'search' | 'hash'>,
): { readonly token: string; readonly dialect: Dialect } | undefined {
  for (const query of queriesOf(location)) {
    for (const name of TOKEN_PARAMETERS) {
      const token = query.get(name)
      if (token) return { token, dialect: SPOKEN[name] }
    }
  }
  return undefined
}

/**
 * Origin of the page around a World, from the browser, the referrer or the page itself; undefined when unknown. It is not
 * the frame's own origin: Worlds may be served from elsewhere.
 */
export function findParentOrigin(world: Pick<Window, 'location' | 'document'>): string | undefined {
  const ancestor = world.location?.ancestorOrigins?.[0]
  const candidates = [
    ancestor,
    originOf(world.document?.referrer),
    ...queriesOf(world.location).map((query) => originOf(query.get(ORIGIN_PARAMETER))),
  ]
  // Chromium names a page on the disk `file://`, and takes no message for it.
  return candidates.find((origin) => origin !== undefined && !NO_ORIGINS.has(origin))
}

/**
 * Gives a World whose style sheet has both themes the one that the reader chose for the page around it: browsers tell a
 * frame of another origin that of the system alone.
 */
export function takeTheme(world: Pick<Window, 'location' | 'document'>): void {
  const root = world.document?.documentElement
  const [theme] = queriesOf(world.location).flatMap((query) => query.getAll('theme'))
  if (root === undefined || (theme !== 'light' && theme !== 'dark')) return
  if (getComputedStyle(root).colorScheme === 'light dark') root.style.colorScheme = theme
}

const NO_ORIGINS: ReadonlySet<string> = new Set(['', 'null', 'file://'])

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
