import type { DraftCondition, Id, StudioDocument } from '../types.ts'
import { changeConnector, withText } from './change.ts'

/** Gives a connector a condition, or none with null. */
export function setCondition(
  document: StudioDocument,
  { entryId, condition }: { readonly entryId: Id; readonly condition: DraftCondition | null },
): StudioDocument {
  return changeConnector(document, entryId, (connector) =>
    connector.condition === condition ? connector : { ...connector, condition },
  )
}

/** The condition a connector asks. Its arguments stay. */
export function setConditionName(
  document: StudioDocument,
  { entryId, name }: { readonly entryId: Id; readonly name: string },
): StudioDocument {
  return changeConnector(document, entryId, (connector) => {
    if (connector.condition?.name === name) return connector
    return { ...connector, condition: { name, args: connector.condition?.args ?? [] } }
  })
}

/** The text of one argument field, whatever it says. */
export function setConditionArgument(
  document: StudioDocument,
  { entryId, index, text }: { readonly entryId: Id; readonly index: number; readonly text: string },
): StudioDocument {
  return changeConnector(document, entryId, (connector) => {
    if (connector.condition === null) return connector
    const args = withText(connector.condition.args, index, text)
    if (args === connector.condition.args) return connector
    return { ...connector, condition: { ...connector.condition, args } }
  })
}
