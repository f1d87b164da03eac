'use client'

import { ReactFlowProvider } from '@xyflow/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import '@xyflow/react/dist/base.css'
import { forgetWorldPlaces, placeWorld } from '#lib/studio/document/attached-worlds.ts'
import { freeName } from '#lib/studio/document/clip.ts'
import { addEntry, newConnector } from '#lib/studio/document/commands/entries.ts'
import { type LinkStart, link, placeNodes } from '#lib/studio/document/commands/graph.ts'
import { type NodeRef, ownKey, refKey } from '#lib/studio/document/node-ref.ts'
import { wouldCircle } from '#lib/studio/document/parts.ts'
import { spansIn } from '#lib/studio/document/positions-of.ts'
import { type Id, newId, type Point, tabKey } from '#lib/studio/document/types.ts'
import { ActionBar } from '../common/action-bar.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { clipboardHandlers } from '../common/transfer.ts'
import { offeredConnector } from '../worlds/plugin-worlds.ts'
import { useWorldsOf } from '../worlds/use-worlds-of.ts'
import { Canvas } from './canvas.tsx'
import { graphActions, linkStart, unlink } from './graph-actions.ts'
import { type GraphTools, GraphToolsContext } from './graph-context.ts'
import { graphKeyHandler, lineSelector, nodeSelector } from './graph-keys.ts'
import { type GraphRoot, rootKey } from './model/graph-of.ts'
import { Picker } from './picker.tsx'
import { lineOf, useChoice } from './use-choice.ts'
import { toggledKey, useGraph, usePlaces } from './use-graph.ts'
import { useView } from './use-view.ts'
import { WorldNodes, worldBoxes, worldPlaces } from './world-nodes.tsx'

/** Where a link starts, and where its end was dropped on the canvas. */
interface LinkRequest {
  readonly at: LinkStart
  readonly dropped: Point | undefined
}

/** A connector as a graph of what it is made of: an entry of the document to edit, or a published one to read. */
export function ConnectorGraph({ root }: { root: GraphRoot }) {
  const [entryId, name]: [Id | undefined, string | undefined] =
    'entryId' in root ? [root.entryId, undefined] : [undefined, root.name]
  const stable = useMemo<GraphRoot>(
    () => (entryId === undefined ? { name: name ?? '' } : { entryId }),
    [entryId, name],
  )
  // React Flow needs a unique id for each of its instances.
  const [id] = useState(() => `graph-${Math.random().toString(36).slice(2)}`)
  return (
    <ReactFlowProvider>
      <GraphEditor root={stable} id={id} />
    </ReactFlowProvider>
  )
}

function GraphEditor({ root, id }: { root: GraphRoot; id: string }) {
  const session = useCurrentSession()
  const { document: store, announce, openName } = session
  const shapes = useSession((state) => state.shapes)
  const selection = useSession((state) => state.selection)
  const top = rootKey(root)
  const rootId = 'entryId' in root ? root.entryId : undefined
  const { graph, setToggled, setAllSlots } = useGraph(root)
  const { places, boxes, move, layOutAgain } = usePlaces(root, graph)
  const { choice, choose, byKey, isMine } = useChoice(graph.nodes, top)
  const frame = useRef<HTMLDivElement>(null)
  const of =
    'entryId' in root
      ? tabKey({ kind: 'entry', entryId: root.entryId })
      : tabKey({ kind: 'published', entity: 'connector', name: root.name })
  const worlds = useWorldsOf(of)
  const worldsAt = worldPlaces(worlds.attached, rectAt(places.get(top)))
  const view = useView([...boxes, ...worldBoxes(worlds.attached)], new Map([...places, ...worldsAt]), frame)
  const [linking, setLinking] = useState<LinkRequest>()

  const chosen = useMemo(() => choice.nodes.flatMap((key) => byKey.get(key) ?? []), [choice.nodes, byKey])
  const node = chosen.at(-1)
  const line = node?.lines.find(({ key }) => key === choice.line)

  const focusOn = (key: string, lineKey: string | undefined, selector: string) => {
    flushSync(() => choose([key], lineKey))
    view.focus(key, selector)
  }
  const focusNode = (key: string) => focusOn(key, undefined, nodeSelector(key))
  // The line may be new: `latest` is read after the edit has rendered.
  const focusRef = (at: NodeRef, field: boolean) => {
    const key = ownKey(at.entryId)
    flushSync(() => store.select([at]))
    const lineKey = lineOf(latest.current.get(key), at)?.key
    if (lineKey === undefined) focusNode(key)
    else if (field) {
      flushSync(() => choose([key], lineKey))
      view.focusField(key, `${lineSelector(lineKey)} [data-field]`)
    } else focusOn(key, lineKey, lineSelector(lineKey))
  }
  const latest = useRef(byKey)
  latest.current = byKey

  const context = {
    store,
    graph,
    rootId,
    chosen,
    line,
    places,
    shape: shapeOf(),
    spanOf: spansIn(shapes),
    focusNode,
    focusLine: (at: NodeRef) => focusRef(at, false),
    focusField: (at: NodeRef) => focusRef(at, true),
    pick: (at: LinkStart) => setLinking({ at, dropped: undefined }),
    toggle: (key: string) => setToggled((set) => toggledKey(set, key)),
    open: openName,
    announce,
  }
  const { actions, copied, pasteText } = graphActions(context)

  function shapeOf() {
    if (node?.entry === undefined || node.state !== 'own') return undefined
    const shape = shapes.ofEntry(node.entry)
    return typeof shape === 'string' ? undefined : shape
  }

  const tools = useMemo<GraphTools>(
    () => ({
      choose: (key, lineKey) => choose([key], lineKey),
      toggle: (key) => setToggled((set) => toggledKey(set, key)),
      toggleSlots: (key) => setAllSlots((set) => toggledKey(set, key)),
      edit: store.edit,
    }),
    [choose, setToggled, setAllSlots, store],
  )

  // A selection made elsewhere, in the outline or by search, is brought into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the view
  useEffect(() => {
    const last = selection.at(-1)
    if (!isMine && last && byKey.has(ownKey(last.entryId))) view.reveal(ownKey(last.entryId))
  }, [selection])

  // A newly attached World is brought into view.
  const amount = useRef(worlds.attached.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a World more moves the view
  useEffect(() => {
    if (worlds.attached.length > amount.current) view.fit()
    amount.current = worlds.attached.length
  }, [worlds.attached.length])

  const connect = (at: LinkStart, name: string) => {
    if (wouldCircle(at.entryId, name, store.getState().document, session.getState().parts)) {
      announce(`${name} is made of this piece itself, so neither could ever exist first.`)
      return
    }
    // The former target stays on the canvas.
    const before = byKey.get(graph.links.find(({ line: from }) => from === refKey(at))?.to ?? '')
    const spot = before && before.entry !== undefined ? places.get(before.key) : undefined
    store.edit(at.kind === 'binding' ? 'Fill place' : 'Choose piece', (document) => {
      const linked = link(document, at, name)
      return spot && rootId !== undefined
        ? placeNodes(linked, rootId, new Map([[before!.key, spot]]))
        : linked
    })
    focusRef(at.kind === 'dimension' ? { ...at, kind: 'composite' } : at, false)
  }

  const connectNew = ({ at, dropped }: LinkRequest) => {
    if (rootId === undefined) return
    const entryId = newId()
    store.edit('New piece', (document) => {
      const name = freeName(document.entries, 'connector', 'my_piece')
      const nextDocument = addEntry(document, { entry: newConnector(entryId, name, newId()) })
      const linked = link(nextDocument, at, name)
      return dropped ? placeNodes(linked, rootId, new Map([[ownKey(entryId), dropped]])) : linked
    })
    focusNode(ownKey(entryId))
  }

  const dragLink = useCallback((lineKey: string) => {
    for (const { lines } of latest.current.values()) {
      const match = lines.find(({ key }) => key === lineKey)
      if (match) return match
    }
    return undefined
  }, [])

  const layOutAll = () => {
    layOutAgain()
    store.edit('Lay out', (document) => forgetWorldPlaces(document, of), { merge: 'lay out' })
    requestAnimationFrame(() => view.fit())
    announce('Laid out.')
  }

  const onKeyDown = graphKeyHandler({
    graph,
    places,
    actions,
    view,
    top,
    chosen,
    line,
    focusNode,
    focusLine: (key, lineKey) => focusOn(key, lineKey, lineSelector(lineKey)),
    toggle: context.toggle,
    toggleSlots: tools.toggleSlots,
    pick: context.pick,
    move,
    layOut: layOutAll,
  })
  const clipboardEvents = clipboardHandlers(
    { copied, pasteText },
    {
      editable: rootId !== undefined,
      remove: actions.find(({ id: action }) => action === 'remove'),
      announce,
    },
  )

  return (
    <GraphToolsContext value={tools}>
      <ActionBar actions={actions} label="What can be done with what is chosen" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the canvas inside is the application */}
      <div ref={frame} onKeyDown={onKeyDown} {...clipboardEvents} className="relative min-h-80 flex-1">
        <Canvas
          id={id}
          label={`Graph of ${byKey.get(top)?.name || 'the piece'}`}
          graph={graph}
          places={places}
          choice={choice}
          editable={rootId !== undefined}
          onChoose={choose}
          onMove={move}
          onInit={() => view.open(choice.nodes.at(-1) ?? top)}
          onFit={view.fit}
          onZoom={view.zoom}
          onLayOut={layOutAll}
          onEnter={() => node && focusNode(node.key)}
          onLink={(lineKey, target) => {
            const start = linkStart(dragLink(lineKey))
            const name = byKey.get(target)?.name
            if (start && name) connect(start, name)
          }}
          onDrop={(lineKey, at) => {
            const start = linkStart(dragLink(lineKey))
            if (start) setLinking({ at: start, dropped: at })
          }}
          onUnlink={(lineKey) => {
            const from = dragLink(lineKey)
            if (from) unlink(context, from)
          }}
          onChooseLink={(from, lineKey) => focusOn(from, lineKey, lineSelector(lineKey))}
          beside={(placeOf) => {
            const at = rectAt(placeOf(top))
            if (at === undefined || worlds.attached.length === 0) return null
            return (
              <WorldNodes
                of={of}
                worlds={worlds}
                places={worldPlaces(worlds.attached, at)}
                root={at}
                connector={shapeOfRoot()}
                onMove={(world, to) =>
                  store.edit('Move World', (document) => placeWorld(document, of, world, to), {
                    merge: `world ${world}`,
                  })
                }
              />
            )
          }}
        />
      </div>
      <Notes left={graph.left} />
      {node === undefined ? null : <Marked node={node.name} problems={problemsIn()} />}
      <Picker
        title={linking && titleOf(linking.at)}
        onPick={(name) => {
          setLinking(undefined)
          if (linking) requestAnimationFrame(() => connect(linking.at, name))
        }}
        onNew={() => {
          setLinking(undefined)
          if (linking) requestAnimationFrame(() => connectNew(linking))
        }}
        onClose={() => setLinking(undefined)}
      />
    </GraphToolsContext>
  )

  function rectAt(at: Point | undefined) {
    return at && { ...at, height: boxes.find(({ key }) => key === top)?.height ?? 0 }
  }

  function shapeOfRoot() {
    const entry = byKey.get(top)?.entry
    if (entry === undefined) return undefined
    return offeredConnector(rootId === undefined ? shapes.ofOutside(entry.name) : shapes.ofEntry(entry))
  }

  function problemsIn() {
    if (line) return line.problems
    return node ? [node.problems, ...node.lines.map((each) => each.problems)].flat() : []
  }
}

function titleOf(at: LinkStart): string {
  return at.kind === 'binding' ? `What plays in place of part ${at.slot + 1}?` : 'What does the voice play?'
}

function Notes({ left }: { left: number }) {
  return (
    <p className="pt-2 text-ink-soft text-sm">
      {left > 0 ? `${left} more pieces do not fit here; collapse some to see others. ` : ''}
      Drag from a dot to another piece, or onto the empty canvas. Arrow keys go from one to the next, Enter
      goes into one, Escape back; Alt with arrow keys moves it.
    </p>
  )
}

/** The problems of the current node or line. */
function Marked({
  node,
  problems,
}: {
  node: string
  problems: Parameters<typeof ProblemNotes>[0]['problems']
}) {
  if (problems === undefined || problems.length === 0) return null
  return (
    <div className="pt-2">
      <p className="sr-only">Problems of {node}</p>
      <ProblemNotes problems={problems} />
    </div>
  )
}
