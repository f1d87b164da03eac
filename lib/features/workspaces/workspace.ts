/** A workspace without its document. */
export interface Workspace {
  readonly id: string
  readonly name: string
  /** Counts up by one with each save. */
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Null unless it is deleted and can be restored. */
  readonly deletedAt: Date | null
}

/** The studio's document, as far as the server reads it. */
export interface WorkspaceDocument {
  readonly entries: readonly WorkspaceEntry[]
  readonly places: readonly unknown[]
  /** Attached to its connectors; absent for none. */
  readonly worlds?: readonly unknown[] | undefined
}

interface WorkspaceEntry {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly [field: string]: unknown
}
