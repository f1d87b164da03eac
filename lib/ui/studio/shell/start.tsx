'use client'

import { Button } from '../../components/button.tsx'
import { useStudio } from '../common/context.tsx'
import { freeName } from '../document/clip.ts'
import { addEntry, newConnector } from '../document/commands/entries.ts'
import { type Entry, type NewId, newId } from '../document/types.ts'
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

/**
 * A small piece of work to begin with: two bodies and a connector of two dimensions that uses them. It runs as it is
 * and shows what there is to change.
 */
function exampleEntries(newId: NewId): readonly Entry[] {
  const call = (name: string, ...args: number[]) => ({ id: newId(), name, args: args.map(String) })
  return [
    {
      kind: 'connector',
      id: newId(),
      name: 'first_melody',
      dimensions: [
        {
          id: newId(),
          calls: [call('climb', 5, 24), call('climb', 7, 24), call('lift', 2)],
          composite: '',
          bindings: [],
        },
        { id: newId(), calls: [call('lift', 3), call('lift', 1)], composite: '', bindings: [] },
      ],
      condition: null,
      staticRi: [{ position: 1, startPoint: '12', transformationShift: '0' }],
    },
    {
      kind: 'transformation',
      id: newId(),
      name: 'climb',
      source: '// Up by args[0], around a ring of args[1] places.\nreturn (x + args[0]) % args[1];',
    },
    { kind: 'transformation', id: newId(), name: 'lift', source: 'return x + args[0];' },
  ]
}
