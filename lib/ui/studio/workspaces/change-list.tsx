import type { StudioDocument } from '../document/types.ts'
import { changeText, documentChanges } from './changes.ts'
import { entryLines, lineChanges } from './entry-lines.ts'

const MOST_ENTRIES = 20
const MOST_LINES = 12

/** What is different in `after`, entry by entry and line by line. */
export function ChangeList({ before, after }: { before: StudioDocument; after: StudioDocument }) {
  const changes = documentChanges(before, after)
  return (
    <ul className="mt-2 space-y-3">
      {changes.slice(0, MOST_ENTRIES).map((change) => (
        <li key={change.id}>
          <p className="[overflow-wrap:anywhere]">
            <span className="text-ink-soft">{change.kind}</span> {changeText(change)}
          </p>
          <Lines before={linesOf(before, change.id)} after={linesOf(after, change.id)} />
        </li>
      ))}
      {changes.length > MOST_ENTRIES ? <li>and {changes.length - MOST_ENTRIES} more</li> : null}
    </ul>
  )
}

function Lines({ before, after }: { before: readonly string[]; after: readonly string[] }) {
  const lines = lineChanges(before, after)
  if (lines.length === 0) return null
  return (
    <ul className="mono mt-1 rounded-md bg-sunk p-2 text-sm">
      {lines.slice(0, MOST_LINES).map(({ sign, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may come several times
        <li key={index} className="flex gap-2">
          <span aria-hidden="true" className="shrink-0">
            {sign}
          </span>
          <span className="sr-only">{sign === '+' ? 'comes' : 'goes'}: </span>
          <span
            className={`whitespace-pre-wrap [overflow-wrap:anywhere] ${sign === '+' ? '' : 'text-ink-soft'}`}
          >
            {text}
          </span>
        </li>
      ))}
      {lines.length > MOST_LINES ? <li>and {lines.length - MOST_LINES} more lines</li> : null}
    </ul>
  )
}

function linesOf({ entries }: StudioDocument, id: string): readonly string[] {
  const entry = entries.find((each) => each.id === id)
  return entry === undefined ? [] : entryLines(entry)
}
