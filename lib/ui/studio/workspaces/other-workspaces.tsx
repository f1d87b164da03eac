'use client'

import { counted } from '../../components/format.ts'
import { useWorkspaces } from './use-workspaces.ts'

const MAX_SHOWN = 5

/** A way to the other workspaces from where nothing is open. */
export function OtherWorkspaces() {
  const { manager, state, showAll } = useWorkspaces()
  const others = state.items.filter(({ id }) => id !== state.current)
  if (others.length === 0) return null
  return (
    <section aria-label="Other workspaces" className="mt-8">
      <h3 className="font-semibold text-sm">Other workspaces</h3>
      <ul className="mt-1 divide-y divide-line border-line border-y">
        {others.slice(0, MAX_SHOWN).map((item) => (
          <li key={item.id}>
            <button
              type="button"
              // A failure is shown in the list of all workspaces.
              onClick={() => void manager.open(item.id).catch(showAll)}
              className="flex min-h-11 w-full cursor-pointer items-center gap-3 px-2 text-left text-sm transition-colors hover:bg-sunk"
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{item.name}</span>
              <span className="shrink-0 text-ink-soft">
                {item.entries === undefined ? 'in your account' : counted(item.entries, 'entry', 'entries')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {others.length > MAX_SHOWN ? (
        <button
          type="button"
          onClick={showAll}
          className="min-h-11 cursor-pointer px-2 text-sm underline underline-offset-4 hover:text-accent"
        >
          All {others.length + 1}
        </button>
      ) : null}
    </section>
  )
}
