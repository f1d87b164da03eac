import type { ConnectorEntry, DraftDimension } from '../types.ts'
import { withField, withKnobs } from './helpers.ts'

/**
 * A connector with other dimensions. Sounds go with the dimension that they are of, and so do starts and their knobs where
 * all dimensions are scalars; below composites, positions are not known here and stay.
 */
export function withDimensions(
  connector: ConnectorEntry,
  dimensions: readonly DraftDimension[],
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
  const isPlain = [...before, ...dimensions].every(({ composite }) => composite === '')
  return isPlain ? withStarts(sounding, placeOf) : sounding
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

function withStarts(connector: ConnectorEntry, placeOf: PlaceOf): ConnectorEntry {
  /** Position 0 is the connector's own. */
  const positionOf = (position: number) => {
    const place = position === 0 ? -1 : placeOf(position - 1)
    return place === undefined ? undefined : place + 1
  }
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
