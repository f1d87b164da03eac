import type { WorkDocument } from '../../workspaces/workspace.ts'

/** A document of a workspace as it is sent. */
export function documentWire({ entries, places, worlds }: WorkDocument) {
  return { entries: [...entries], places: [...places], ...(worlds && { worlds: [...worlds] }) }
}
