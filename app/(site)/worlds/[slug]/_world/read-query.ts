import { readRunLink } from '../../../../../lib/domain/run-link.ts'
import { readSlots } from '../../../../../lib/domain/world-slots.ts'
import type { WorldQuery } from '../../../../../lib/site-data/world.ts'

export interface ReadWorldQuery {
  readonly query: WorldQuery
  /** Slug of another World that is to draw beside it. */
  readonly beside: string | undefined
  /** What of the address could not be followed, in sentences. */
  readonly problems: readonly string[]
}

const NOTHING: WorldQuery = { connector: undefined, count: undefined, dynamicRi: [], slots: [] }

/** What the address of a World's page asks for. What makes no sense is said, and the page chooses instead. */
export function readWorldQuery(
  given: Readonly<Record<string, string | string[] | undefined>>,
): ReadWorldQuery {
  // A World is fed by simulation: blocks are the business of `/run`.
  const {
    connector,
    beside: other,
    slots: bound,
    block: _block,
    hash: _hash,
    at: _at,
    world: _world,
    ...rest
  } = given
  const beside = (Array.isArray(other) ? other[0] : other) || undefined
  if (Array.isArray(connector)) {
    return { query: NOTHING, beside, problems: ['connector is given more than once: once is enough.'] }
  }
  // Steps may be given without a connector; starts mean nothing then.
  const read = readRunLink(connector || 'any', connector ? rest : { count: rest.count })
  if (!read.ok) return { query: NOTHING, beside, problems: read.problems.slice(0, 8) }
  const { count, dynamicRi } = read.link
  const slots = bound ? readSlots([bound].flat().join(',')) : []
  return {
    query: {
      connector: connector || undefined,
      count: rest.count ? count : undefined,
      dynamicRi,
      slots: slots ?? [],
    },
    beside,
    problems: slots ? [] : ['slots must be slot:connector, separated by commas, each slot once.'],
  }
}
