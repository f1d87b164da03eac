import { counted } from '../format.ts'
import { bytesInWords } from '../world/owner/in-words.ts'
import type { Chosen } from './bundle/chosen.ts'

const SHOWN = 200

/** The files that were chosen, and those that stay out. */
export function ChosenFiles({ chosen: { name, files, leftOut } }: { chosen: Chosen }) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return (
    <details className="border-line border-y">
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">{name}</span>
        {files.length > 0 ? `: ${counted(files.length, 'file')}, ${bytesInWords(bytes)}` : ''}
        {leftOut.length > 0 ? `, ${leftOut.length} left out` : ''}
      </summary>
      <ul
        aria-label="Files"
        className="max-h-72 overflow-y-auto pb-3 text-sm"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        tabIndex={0}
      >
        {files.slice(0, SHOWN).map(({ path, size }) => (
          <li key={path} className="flex justify-between gap-4 py-0.5">
            <code className="min-w-0 [overflow-wrap:anywhere]">{path}</code>
            <span className="shrink-0 text-ink-soft">{bytesInWords(size)}</span>
          </li>
        ))}
        {files.length > SHOWN ? <li>and {files.length - SHOWN} more</li> : null}
        {leftOut.slice(0, SHOWN).map((path) => (
          <li key={path} className="flex justify-between gap-4 py-0.5 text-ink-soft">
            <code className="min-w-0 line-through [overflow-wrap:anywhere]">{path}</code>
            <span className="shrink-0">stays here</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
