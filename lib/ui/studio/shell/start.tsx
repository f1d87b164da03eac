'use client'

import { counted } from '#lib/browser/format.ts'
import { Button, Row } from '#lib/ui/kit/button.tsx'
import { useDocument } from '../common/session.tsx'
import { LessonList } from '../lessons/lesson-list.tsx'
import { TemplateCards } from '../templates/template-cards.tsx'
import { useWorkspaces, useWorkspacesState } from '../workspaces/use-workspaces.ts'
import { useNewEntry } from './entry-list.tsx'

/**
 * Start of the editor while nothing is open: ways to begin.
 *
 * @param onAssist Opens the assistant; undefined where there is none.
 */
export function Start({ onAssist }: { onAssist: (() => void) | undefined }) {
  const { entries } = useDocument()
  const create = useNewEntry()
  const empty = entries.length === 0
  return (
    <div className="@container mx-auto w-full max-w-5xl p-4 sm:p-6">
      <section aria-labelledby="templates">
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 pb-3">
          <div>
            <h2 id="templates" className="sr-only">
              Templates
            </h2>
            <p className="font-semibold text-xl">{empty ? 'Nothing on the loom yet' : 'Nothing is open'}</p>
            <p className="text-ink-soft text-sm">
              {empty
                ? 'Start with something that plays, and change it.'
                : 'Choose something of yours or something published, or start with something that plays.'}
            </p>
          </div>
          <span className="flex flex-wrap gap-2">
            {onAssist === undefined ? null : (
              <Button size="small" onClick={onAssist}>
                Describe it in words
              </Button>
            )}
            <Button size="small" onClick={() => create('connector')}>
              New piece
            </Button>
          </span>
        </div>
        <TemplateCards />
      </section>
      {empty ? (
        <p className="mt-4 text-ink-soft text-sm">
          What you make is kept in this browser as you type, and in your account when you are signed in.
          Nothing is public until you publish it.
        </p>
      ) : null}
      <OtherWorkspaces />
      <section aria-labelledby="lessons" className="mt-8">
        <h2 id="lessons" className="font-semibold text-lg">
          Learn it by doing
        </h2>
        <p className="mt-1 mb-3 text-ink-soft text-sm">
          Short lessons in this studio, on pieces of their own.
        </p>
        <LessonList />
      </section>
    </div>
  )
}

const MAX_SHOWN = 5

/** A way to the other workspaces from where nothing is open. */
function OtherWorkspaces() {
  const { manager, showAll } = useWorkspaces()
  const others = useWorkspacesState(({ items, current }) => items.filter(({ id }) => id !== current))
  if (others.length === 0) return null
  return (
    <section aria-label="Other workspaces" className="mt-8">
      <h3 className="font-semibold text-sm">Other workspaces</h3>
      <ul className="mt-1 divide-y divide-line border-line border-y">
        {others.slice(0, MAX_SHOWN).map((item) => (
          <li key={item.id}>
            <Row // A failure is shown in the list of all workspaces.
              onClick={() => void manager.open(item.id).catch(showAll)}
              className="min-h-11"
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{item.name}</span>
              <span className="shrink-0 text-ink-soft">
                {item.entries === undefined ? 'in your account' : counted(item.entries, 'entry', 'entries')}
              </span>
            </Row>
          </li>
        ))}
      </ul>
      {others.length > MAX_SHOWN ? (
        <Button look="text" onClick={showAll} className="px-2">
          All {others.length + 1}
        </Button>
      ) : null}
    </section>
  )
}
