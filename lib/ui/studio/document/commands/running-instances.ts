import type { DraftRunningInstance, Id, StudioDocument } from '../types.ts'
import { changeConnector, without } from './change.ts'

/** Sets the static running instance of a position, whatever was there before. */
export function setRunningInstance(
  document: StudioDocument,
  { entryId, ...instance }: { readonly entryId: Id } & DraftRunningInstance,
): StudioDocument {
  const { position, startPoint, transformationShift } = instance
  return changeConnector(document, entryId, (connector) => {
    const old = connector.staticRi.find((other) => other.position === position)
    if (old?.startPoint === startPoint && old.transformationShift === transformationShift) return connector
    const staticRi = [
      ...connector.staticRi.filter((other) => other !== old),
      { position, startPoint, transformationShift },
    ]
    return { ...connector, staticRi: staticRi.sort((a, b) => a.position - b.position) }
  })
}

export function removeRunningInstance(
  document: StudioDocument,
  { entryId, position }: { readonly entryId: Id; readonly position: number },
): StudioDocument {
  return changeConnector(document, entryId, (connector) => {
    const staticRi = without(connector.staticRi, (instance) => instance.position === position)
    return staticRi === connector.staticRi ? connector : { ...connector, staticRi }
  })
}
