import type { ConnectorEntry, DraftDimension } from '../types.ts'
import { withField, withKnobs } from './helpers.ts'

/** Positions that a dimension takes with all it selects from; undefined where that is not known. */
export type SpanOf = (dimension: DraftDimension) => number | undefined

/** Without anything known of composites. */
export const scalarSpan: SpanOf = ({ composite }) => (composite === '' ? 1 : undefined)

/** First position of each dimension, and that behind the last one; undefined where a span is not known. */
export function firstPositions(
  dimensions: readonly DraftDimension[],
  spanOf: SpanOf,
): readonly number[] | undefined {
  const first = [1]
  for (const [index, dimension] of dimensions.entries()) {
    const span = spanOf(dimension)
    if (span === undefined) return undefined
    first.push(first[index]! + span)
  }
  return first
}

/**
 * A connector with other dimensions. Sounds go with the dimension that they are of, and so do starts and their knobs where
 * the spans of all dimensions are known; else they stay.
 */
export function withDimensions(
  connector: ConnectorEntry,
  dimensions: readonly DraftDimension[],
  spanOf = scalarSpan,
): ConnectorEntry {
  const before = connector.dimensions
  const places = new Map(dimensions.map(({ id }, index) => [id, index]))
  if (before.every(({ id }, index) => places.get(id) === index))
    return withField(connector, 'dimensions', dimensions)
  /** Index of a dimension now; that of none stays, that of a removed one is undefined. */
  const placeOf = (index: number) => {
    const dimension = before[index]
    return dimension === undefined ? index : places.get(dimension.id)
  }
  const sounding = withSounds({ ...connector, dimensions }, placeOf)
  const [from, to] = [firstPositions(before, spanOf), firstPositions(dimensions, spanOf)]
  if (from === undefined || to === undefined) return sounding
  return withStarts(sounding, (position) => {
    const index = from.findLastIndex((first) => first <= position)
    // Position 0 is the connector's own.
    if (index === -1 || index >= before.length) return position
    const place = placeOf(index)
    return place === undefined ? undefined : to[place]! + position - from[index]!
  })
}

type PlaceOf = (index: number) => number | undefined

function withSounds(connector: ConnectorEntry, placeOf: PlaceOf): ConnectorEntry {
  const { sound } = connector
  if (sound?.paths === undefined) return connector
  const paths = sound.paths.flatMap((each) => {
    const [index = '', ...inner] = each.path.split('/')
    const place = placeOf(Number(index))
    return place === undefined ? [] : [{ ...each, path: [place, ...inner].join('/') }]
  })
  return { ...connector, sound: { ...sound, paths: uniqueBy(paths, ({ path }) => path) } }
}

/** @param positionOf A position now; undefined for that of a removed dimension. */
function withStarts(connector: ConnectorEntry, positionOf: PlaceOf): ConnectorEntry {
  const staticRi = connector.staticRi.flatMap((each) => {
    const position = positionOf(each.position)
    return position === undefined ? [] : [{ ...each, position }]
  })
  const starting = {
    ...connector,
    staticRi: uniqueBy(staticRi, ({ position }) => position).sort((a, b) => a.position - b.position),
  }
  const { knobs } = connector
  if (knobs === undefined) return starting
  const live = knobs.flatMap((knob) => {
    const { target } = knob
    if (target.kind !== 'start' && target.kind !== 'shift') return [knob]
    const position = positionOf(target.position)
    return position === undefined ? [] : [{ ...knob, target: { ...target, position } }]
  })
  return withKnobs(starting, live)
}

/** The first of each key: what was of no dimension gives way. */
function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const keys = new Set<unknown>()
  return items.filter((item) => {
    const key = keyOf(item)
    return !keys.has(key) && keys.add(key)
  })
}
