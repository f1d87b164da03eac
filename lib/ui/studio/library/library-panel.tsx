'use client'

import { memo, useState } from 'react'
import { kindsName, kindWord } from '#lib/protocol/kind-name.ts'
import { same } from '#lib/studio/document/same.ts'
import { type Entry, tabInFront, tabKey } from '#lib/studio/document/types.ts'
import { PieceName } from '#lib/ui/components/piece-name.tsx'
import { Row } from '#lib/ui/kit/button.tsx'
import { SearchField } from '#lib/ui/kit/field.tsx'
import { Segmented } from '#lib/ui/kit/segmented.tsx'
import { ListStatus } from '../common/list-status.tsx'
import { useCurrentSession, useDocument, useSession } from '../common/session.tsx'
import { PluginList } from '../worlds/plugin-list.tsx'
import { fullOf, useWorldsOf } from '../worlds/use-worlds-of.ts'
import { usePublished } from './use-published.ts'

const KINDS = ['connector', 'transformation', 'condition'] as const

const LISTS = [...KINDS, 'world'] as const
type List = (typeof LISTS)[number]

/** Published entities and Worlds. */
export function LibraryPanel() {
  const [list, setList] = useState<List>('connector')
  return (
    <section aria-label="Published">
      <h2 className="border-line border-b pb-1.5 font-semibold text-sm">Published</h2>
      <Segmented
        label="What is listed"
        choices={LISTS.map((choice) => [choice, kindsName(choice)] as const)}
        value={list}
        onChoose={setList}
        className="my-2"
      />
      {list === 'world' ? <WorldsLibrary /> : <Parts kind={list} />}
    </section>
  )
}

/** Parts of one kind: opened read-only by a click, used by their names. */
function Parts({ kind }: { kind: Entry['kind'] }) {
  const [text, setText] = useState('')
  const { openTab } = useCurrentSession()
  const active = useSession(({ view }) => view.active)
  const query = usePublished(kind)
  const { data = [] } = query
  const part = text.trim().toLowerCase()
  const shown = data.filter((each) => [each.name, each.title].some((it) => it?.toLowerCase().includes(part)))
  const exact = text.trim()
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (exact !== '') openTab({ kind: 'published', entity: kind, name: exact })
        }}
      >
        <SearchField
          label={`Look for a published ${kindWord(kind)}; Enter opens the exact name`}
          value={text}
          onText={setText}
          {...(kind === 'connector' && { placeholder: 'Title or name' })}
        />
      </form>
      <ul className="mt-1 max-h-80 overflow-y-auto">
        {shown.map(({ name, title }) => {
          const tab = { kind: 'published', entity: kind, name } as const
          return (
            <li key={name}>
              <Row chosen={active === tabKey(tab)} onClick={() => openTab(tab)}>
                <PieceName name={name} title={title} />
              </Row>
            </li>
          )
        })}
      </ul>
      <ListStatus
        query={query}
        loading="Loading what is published…"
        empty={
          shown.length > 0
            ? undefined
            : exact === ''
              ? `No ${kindWord(kind)} is published yet.`
              : 'None of the newest; Enter opens the exact name.'
        }
        more="Older"
      />
    </>
  )
}

/** Puts the lists of known names on the page, which name fields offer while typing. */
export function KnownNames() {
  return KINDS.map((kind) => <NamesOf key={kind} kind={kind} />)
}

function NamesOf({ kind }: { kind: Entry['kind'] }) {
  const own = useSession(
    ({ document }) => document.entries.filter((entry) => entry.kind === kind).map(({ name }) => name),
    same,
  )
  const { data = [] } = usePublished(kind)
  const names = [...new Set([...own, ...data.map(({ name }) => name)])].filter((name) => name !== '')
  return <Names id={`known-${kind}s`} names={names} />
}

/** Typing somewhere leaves the names as they are. */
const Names = memo(
  function Names({ id, names }: { id: string; names: readonly string[] }) {
    return (
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    )
  },
  (before, after) =>
    before.names.length === after.names.length &&
    before.names.every((name, index) => name === after.names[index]),
)

/** Worlds in the library: a click attaches one to the connector that is open. */
function WorldsLibrary() {
  const document = useDocument()
  const view = useSession((state) => state.view)
  const shapes = useSession((state) => state.shapes)
  const tab = tabInFront(view)
  const entry = tab?.kind === 'entry' ? document.entries.find(({ id }) => id === tab.entryId) : undefined
  const shape =
    tab?.kind === 'published' && tab.entity === 'connector'
      ? shapes.ofOutside(tab.name)
      : entry?.kind === 'connector'
        ? shapes.ofEntry(entry)
        : undefined
  const worlds = useWorldsOf(view.active ?? '')
  return (
    <PluginList
      shape={shape}
      attached={new Set(shape === undefined ? [] : worlds.attached.map(({ world }) => world))}
      blocked={shape === undefined ? 'Open a piece to attach one to it.' : worlds.room ? undefined : fullOf()}
      onAttach={worlds.attach}
    />
  )
}
