/** A workspace without what is in it. */
export interface Workspace {
  readonly id: string
  readonly name: string
  /** Counts up by one with each save. */
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Null unless it is deleted and can be taken back. */
  readonly deletedAt: Date | null
}

/** What the studio edits, as far as the server looks at it: the rest is the page's own affair, of any version. */
export interface WorkDocument {
  readonly entries: readonly WorkEntry[]
  readonly places: readonly unknown[]
  /** Attached to its connectors; absent for none. */
  readonly worlds?: readonly unknown[] | undefined
}

interface WorkEntry {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly [field: string]: unknown
}
