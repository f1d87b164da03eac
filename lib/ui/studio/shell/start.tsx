'use client'

import { Button } from '../../button.tsx'
import { useStudio } from '../context.tsx'
import { freeName } from '../document/clip.ts'
import { addEntry, newConnector } from '../document/commands/entries.ts'
import { exampleEntries } from '../document/example.ts'
import { newId } from '../document/ids.ts'
import { LessonList } from '../lessons/lesson-list.tsx'
import { OtherWorkspaces } from '../workspaces/other-workspaces.tsx'

/** What the editor shows while nothing is open: ways to begin. */
export function Start() {
  const { store, state, openTab } = useStudio()
  const empty = state.document.entries.length === 0
  const begin = (example: boolean) => {
    const name = freeName(state.document.entries, 'connector', 'my_connector')
    const entries = example ? exampleEntries(newId) : [newConnector(newId(), name, newId())]
    store.edit(example ? 'Start with an example' : 'New connector', (document) =>
      entries.reduce((next, entry) => addEntry(next, { entry }), document),
    )
    if (entries[0]) openTab({ kind: 'entry', entryId: entries[0].id })
  }
  return (
    <div className="max-w-prose py-8">
      <h2 className="font-semibold text-xl">{empty ? 'Nothing on the loom yet' : 'Nothing is open'}</h2>
      <p className="mt-2">
        {empty
          ? 'A connector is streams of numbers side by side. Each stream is a dimension: small functions take turns, and each turns the last value into the next.'
          : 'Choose something of yours from the list, or something published.'}
      </p>
      <div className="mt-5 flex flex-wrap gap-3">
        {empty ? (
          <Button look="primary" onClick={() => begin(true)}>
            Start with an example
          </Button>
        ) : null}
        <Button onClick={() => begin(false)}>New connector</Button>
      </div>
      {empty ? (
        <p className="mt-5 text-ink-soft text-sm">
          Everything you write is kept in this browser as you type, and in your account when you are signed
          in. Nothing is public until you publish it.
        </p>
      ) : null}
      <OtherWorkspaces />
      <section aria-labelledby="lessons" className="mt-10">
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
