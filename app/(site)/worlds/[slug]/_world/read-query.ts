import { readRunLink } from '../../../../../lib/protocol/run-link.ts'
import { readSlots } from '../../../../../lib/protocol/world-slots.ts'
import type { WorldQuery } from '../../../../../lib/views/world.ts'

export interface ReadWorldQuery {
  readonly query: WorldQuery
  /** Slug of another World, shown beside it. */
  readonly beside: string | undefined
  /** Problems of the address, as sentences. */
  readonly problems: readonly string[]
}

const NOTHING: WorldQuery = { connector: undefined, count: undefined, dynamicRi: [], slots: [] }

/** Parses the query of a World's page; reports invalid parts and replaces them by defaults. */
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
  // Steps are valid without a connector; starts are then ignored.
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
