/** An entry of the studio's document as far as it takes to compare two versions of it. */
export interface EntryMark {
  readonly id: string
  readonly kind: string
  readonly name: string
  /** Any text that is the same exactly when the entry's content is; the name may be part of it. */
  readonly content: string
}

export interface EntryChange {
  readonly id: string
  readonly change: 'added' | 'removed' | 'renamed' | 'changed'
  readonly kind: string
  /** As it is after the change; as it was, for what was removed. */
  readonly name: string
  /** Only where it was renamed. */
  readonly nameBefore?: string
}

/** Changes of the entries between two versions, in the order of the later one; removed ones come last. */
export function entryChanges(before: readonly EntryMark[], after: readonly EntryMark[]): EntryChange[] {
  const old = new Map(before.map((mark) => [mark.id, mark]))
  const changes: EntryChange[] = []
  for (const { id, kind, name, content } of after) {
    const was = old.get(id)
    old.delete(id)
    if (was === undefined) changes.push({ id, change: 'added', kind, name })
    else if (was.name !== name) changes.push({ id, change: 'renamed', kind, name, nameBefore: was.name })
    else if (was.content !== content) changes.push({ id, change: 'changed', kind, name })
  }
  for (const { id, kind, name } of old.values()) changes.push({ id, change: 'removed', kind, name })
  return changes
}
