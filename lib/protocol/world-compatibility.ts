/*
 * Which connectors suit a World: by its formats, by the connectors it names, and by the scalars that are in common
 * where neither fits as it stands.
 */

/** Parts of a World's manifest that decide. */
export interface WorldNeeds {
  /** 64 hexadecimal digits each, in either spelling. */
  readonly acceptedFormatHashes: readonly string[]
  /** Each name is a slot with a connector of that name by default. */
  readonly acceptedConnectorSets: readonly WorldConnectorSet[]
}

export interface WorldConnectorSet {
  readonly connectors: readonly string[]
  readonly optionalConnectors: readonly string[]
}

/** Facts of a connector that decide. */
export interface OfferedConnector {
  readonly name: string
  readonly formatHash: string
  /** Labels `<declaring connector>:<dimension>` of its format. */
  readonly scalars: readonly string[]
}

export interface Compatibility {
  readonly fit: 'match' | 'partial' | 'none'
  /** Rule that decided; `anything` for a World that names nothing. */
  readonly by: 'anything' | 'format' | 'connectors' | 'scalars'
  /** Why, in one sentence. */
  readonly reason: string
  /** Connectors the World names whose values are absent, with `partial`; or the nearest of its sets, with `none`. */
  readonly missing: readonly string[]
}

/**
 * How well a connector suits a World.
 *
 * @param formatScalars Scalars of formats the World accepts, by hash as its manifest spells it: what is not known
 *   is not compared.
 */
export function worldCompatibility(
  world: WorldNeeds,
  connector: OfferedConnector,
  formatScalars: ReadonlyMap<string, readonly string[]> = new Map(),
): Compatibility {
  const { acceptedFormatHashes: formats, acceptedConnectorSets: sets } = world
  if (formats.length === 0 && sets.length === 0) {
    return {
      fit: 'match',
      by: 'anything',
      reason: 'This World asks for nothing in particular: any piece will do.',
      missing: [],
    }
  }
  const own = bareHash(connector.formatHash)
  if (formats.some((hash) => bareHash(hash) === own)) {
    return {
      fit: 'match',
      by: 'format',
      reason: `${connector.name} has a format this World is made for.`,
      missing: [],
    }
  }
  return (
    bySets(sets, connector) ?? byFormatScalars(formats, connector, formatScalars) ?? none(world, connector)
  )
}

/** Stable sort, best first: match, partial, none. */
export function byFit<T extends { readonly compatibility: Compatibility }>(items: readonly T[]): T[] {
  const rank = { match: 0, partial: 1, none: 2 }
  return items.toSorted((a, b) => rank[a.compatibility.fit] - rank[b.compatibility.fit])
}

/** A format hash without `0x`, in lower case. */
export function bareHash(hash: string): string {
  return hash.toLowerCase().replace(/^0x/, '')
}

/** A composite carries the values of the connectors at its ends: their names are in its labels. */
export function carriedNames({
  name,
  scalars,
}: Pick<OfferedConnector, 'name' | 'scalars'>): ReadonlySet<string> {
  return new Set([name, ...scalars.map(declaringConnector)])
}

function bySets(sets: readonly WorldConnectorSet[], connector: OfferedConnector): Compatibility | undefined {
  const carried = carriedNames(connector)
  let best: { missing: string[]; matches: string[] } | undefined
  for (const { connectors } of sets) {
    const matches = connectors.filter((name) => carried.has(name))
    if (matches.length === 0) continue
    const missing = connectors.filter((name) => !carried.has(name))
    if (best === undefined || missing.length < best.missing.length) best = { missing, matches }
  }
  if (best === undefined) return undefined
  const { missing, matches } = best
  const itself = matches.includes(connector.name)
  if (missing.length === 0) {
    return {
      fit: 'match',
      by: 'connectors',
      reason: itself
        ? `This World is made for ${connector.name}.`
        : `${connector.name} carries what this World is made for: ${list(matches)}.`,
      missing,
    }
  }
  return {
    fit: 'partial',
    by: 'connectors',
    reason: `This World also wants ${list(missing)}, which ${connector.name} does not carry.`,
    missing,
  }
}

function byFormatScalars(
  formats: readonly string[],
  connector: OfferedConnector,
  scalarsByFormat: ReadonlyMap<string, readonly string[]>,
): Compatibility | undefined {
  const own = new Set(connector.scalars)
  let best: { missing: string[]; shared: number } | undefined
  for (const hash of formats) {
    const scalars = scalarsByFormat.get(hash)
    if (scalars === undefined || scalars.length === 0) continue
    const missing = scalars.filter((label) => !own.has(label))
    const shared = scalars.length - missing.length
    if (shared === 0) continue
    if (best === undefined || missing.length < best.missing.length) best = { missing, shared }
  }
  if (best === undefined) return undefined
  return {
    fit: 'partial',
    by: 'scalars',
    reason:
      best.missing.length === 0
        ? `${connector.name} has every value this World draws, among others that it does not expect.`
        : `Of the values this World draws, ${connector.name} lacks ${list(best.missing)}.`,
    missing: best.missing,
  }
}

function none(world: WorldNeeds, connector: OfferedConnector): Compatibility {
  const [first] = world.acceptedConnectorSets
  return {
    fit: 'none',
    by: first === undefined ? 'format' : 'connectors',
    reason:
      first === undefined
        ? `The format of ${connector.name} is none that this World is made for.`
        : `This World is made for ${list(first.connectors)}; ${connector.name} carries none of it.`,
    missing: first?.connectors ?? [],
  }
}

function declaringConnector(label: string): string {
  const colon = label.lastIndexOf(':')
  return colon < 0 ? label : label.slice(0, colon)
}

const MOST_LISTED = 4

function list(names: readonly string[]): string {
  const firstNames = names.slice(0, MOST_LISTED)
  const rest = names.length - firstNames.length
  const parts = rest > 0 ? [...firstNames, `${rest} more`] : firstNames
  const last = parts.at(-1) ?? 'nothing'
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last
}
