import type { DraftDimension, Id, StudioDocument } from '../types.ts'
import { changeConnector, changeDimension, inserted, moved, without } from './change.ts'

interface InConnector {
  readonly entryId: Id
}

interface InDimension extends InConnector {
  readonly dimensionId: Id
}

/** Adds a scalar dimension without transformations, or `dimension` as it is. At the end unless `at` says where. */
export function addDimension(
  document: StudioDocument,
  args: InConnector & { readonly id: Id; readonly at?: number; readonly dimension?: DraftDimension },
): StudioDocument {
  const { entryId, id, at, dimension = { id, calls: [], composite: '', bindings: [] } } = args
  return changeConnector(document, entryId, (connector) => ({
    ...connector,
    dimensions: inserted(connector.dimensions, { ...dimension, id }, at),
  }))
}

/** A connector may be left without dimensions; that is a problem to be told, not an error. */
export function removeDimension(
  document: StudioDocument,
  { entryId, dimensionId }: InDimension,
): StudioDocument {
  return changeConnector(document, entryId, (connector) => {
    const dimensions = without(connector.dimensions, ({ id }) => id === dimensionId)
    return dimensions === connector.dimensions ? connector : { ...connector, dimensions }
  })
}

export function moveDimension(
  document: StudioDocument,
  { entryId, dimensionId, to }: InDimension & { readonly to: number },
): StudioDocument {
  return changeConnector(document, entryId, (connector) => {
    const dimensions = moved(connector.dimensions, dimensionId, to)
    return dimensions === connector.dimensions ? connector : { ...connector, dimensions }
  })
}

/**
 * The connector a dimension selects from. Empty makes it a scalar again, which has no slots to bind; otherwise the
 * bindings stay, as another connector may have the same slots.
 */
export function setComposite(
  document: StudioDocument,
  { name, ...at }: InDimension & { readonly name: string },
): StudioDocument {
  return changeDimension(document, at, (dimension) => {
    if (dimension.composite === name) return dimension
    return { ...dimension, composite: name, bindings: name === '' ? [] : dimension.bindings }
  })
}

/** Fills a slot of the composite with another connector, whatever filled it before. */
export function bindSlot(
  document: StudioDocument,
  { slot, name, ...at }: InDimension & { readonly slot: number; readonly name: string },
): StudioDocument {
  return changeDimension(document, at, (dimension) => {
    if (dimension.bindings.some((binding) => binding.slot === slot && binding.name === name)) {
      return dimension
    }
    const bindings = [...dimension.bindings.filter((binding) => binding.slot !== slot), { slot, name }]
    return { ...dimension, bindings: bindings.sort((a, b) => a.slot - b.slot) }
  })
}

export function unbindSlot(
  document: StudioDocument,
  { slot, ...at }: InDimension & { readonly slot: number },
): StudioDocument {
  return changeDimension(document, at, (dimension) => {
    const bindings = without(dimension.bindings, (binding) => binding.slot === slot)
    return bindings === dimension.bindings ? dimension : { ...dimension, bindings }
  })
}
