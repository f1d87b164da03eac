import { type EntryChange, type EntryMark, entryChanges } from '#lib/protocol/entry-changes.ts'
import { same } from '#lib/studio/document/same.ts'
import type { Entry, StudioDocument } from '#lib/studio/document/types.ts'

/** Changes of the entries if `after` took the place of `before`. */
export function documentChanges(before: StudioDocument, after: StudioDocument): EntryChange[] {
  const old = new Map(before.entries.map((entry) => [entry.id, entry]))
  const marks = ({ entries }: StudioDocument) =>
    entries.map(
      (entry): EntryMark => ({
        id: entry.id,
        kind: entry.kind,
        name: entry.name,
        content: same(withoutName(entry), withoutName(old.get(entry.id))) ? 'as before' : 'changed',
      }),
    )
  return entryChanges(marks(before), marks(after))
}

const WORDS = { added: 'added', removed: 'removed', changed: 'changed' } as const

/** A change as a sentence: `melody changed`. */
export function changeText({
  change,
  name,
  nameBefore,
}: Pick<EntryChange, 'change' | 'name' | 'nameBefore'>): string {
  const called = (text: string) => text || 'no name yet'
  return change === 'renamed'
    ? `${called(nameBefore ?? '')} renamed to ${called(name)}`
    : `${called(name)} ${WORDS[change]}`
}

function withoutName(entry: Entry | undefined): unknown {
  return entry && { ...entry, name: '' }
}

/** An entry as lines of text, so that two versions of it can be held side by side. */
export function entryLines(entry: Entry): string[] {
  if (entry.kind !== 'connector') return entry.source.split('\n')
  const called = ({ name, args }: { readonly name: string; readonly args: readonly string[] }) =>
    `${name}(${args.join(', ')})`
  const dimensions = entry.dimensions.map(({ calls, composite, bindings }, index) => {
    const slots = bindings.map(({ slot, name }) => `, part ${slot + 1} played by ${name}`).join('')
    const end = composite === '' ? '' : ` plays ${composite}${slots}`
    return `voice ${index + 1}: ${calls.map(called).join(' → ')}${end}`
  })
  const condition = entry.condition === null ? [] : [`gate: ${called(entry.condition)}`]
  const starts = entry.staticRi.map(
    ({ position, startPoint, transformationShift }) =>
      `start ${position}: from ${startPoint}, skips ${transformationShift}`,
  )
  return [...dimensions, ...condition, ...starts]
}

export interface LineChange {
  readonly sign: '+' | '−'
  readonly text: string
}

/** Multiset difference of lines: removed lines, then added ones. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  return [
    ...without(before, after).map((text) => ({ sign: '−', text }) as const),
    ...without(after, before).map((text) => ({ sign: '+', text }) as const),
  ]
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    if (count > 0) left.set(line, count - 1)
    return count === 0 && line.trim() !== ''
  })
}
