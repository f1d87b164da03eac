'use client'

import {
  type ClipboardEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useStudio } from '../context.tsx'
import { forgetWorldPlaces, placeWorld } from '../document/attached-worlds.ts'
import { freeName } from '../document/clip.ts'
import { addEntry, newConnector } from '../document/commands/entries.ts'
import { newId } from '../document/ids.ts'
import { type NodeRef, refKey } from '../document/node-ref.ts'
import { tabKey } from '../document/types.ts'
import { ActionBar } from '../outline/action-bar.tsx'
import { ProblemNotes } from '../outline/problem-notes.tsx'
import { matchesShortcut } from '../shortcut.ts'
import { offeredConnector } from '../worlds/fit.ts'
import { useWorldsOf } from '../worlds/use-worlds-of.ts'
import { Canvas } from './canvas.tsx'
import { graphActions, unlink } from './graph-actions.ts'
import { type GraphTools, GraphToolsContext } from './graph-context.ts'
import type { Point } from './model/arrange.ts'
import { type LinkStart, link, nodeOfRef, place, wouldCircle } from './model/commands.ts'
import { type GraphRoot, ownKey, rootKey } from './model/graph-of.ts'
import { moved } from './move-focus.ts'
import { Picker } from './picker.tsx'
import { lineOf, useChoice } from './use-choice.ts'
import { flipped, useGraph } from './use-graph.ts'
import { usePlaces } from './use-places.ts'
import { useView } from './use-view.ts'
import { WorldNodes } from './world-nodes.tsx'
import { worldBoxes, worldPlaces } from './world-places.ts'

/** What a link is being drawn from, and where its end was let go. */
interface Asked {
  readonly at: LinkStart
  readonly dropped: Point | undefined
}

export function GraphEditor({ root, id }: { root: GraphRoot; id: string }) {
  const studio = useStudio()
  const { store, state, say, openName, parts, shapes } = studio
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
  const [asked, setAsked] = useState<Asked>()

  const chosen = useMemo(() => choice.nodes.flatMap((key) => byKey.get(key) ?? []), [choice.nodes, byKey])
  const node = chosen.at(-1)
  const line = node?.lines.find(({ key }) => key === choice.line)

  const focusOn = (key: string, lineKey: string | undefined, selector: string) => {
    flushSync(() => choose([key], lineKey))
    view.focus(key, selector)
  }
  const nodeSelector = (key: string) => `[data-node="${CSS.escape(key)}"]`
  const lineSelector = (key: string) => `[data-line="${CSS.escape(key)}"]`
  const focusNode = (key: string) => focusOn(key, undefined, nodeSelector(key))
  // The line may be new: it is looked for once the edit that made it is drawn.
  const focusRef = (at: NodeRef, field: boolean) => {
    const key = nodeOfRef(at)
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
    focusNode,
    focusLine: (at: NodeRef) => focusRef(at, false),
    focusField: (at: NodeRef) => focusRef(at, true),
    pick: (at: LinkStart) => setAsked({ at, dropped: undefined }),
    toggle: (key: string) => setToggled((set) => flipped(set, key)),
    open: openName,
    say,
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
      toggle: (key) => setToggled((set) => flipped(set, key)),
      toggleSlots: (key) => setAllSlots((set) => flipped(set, key)),
      edit: store.edit,
    }),
    [choose, setToggled, setAllSlots, store],
  )

  // Somebody chose something elsewhere, by the outline or by finding it: show it.
  const { selection } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the view
  useEffect(() => {
    const last = selection.at(-1)
    if (!isMine && last && byKey.has(nodeOfRef(last))) view.reveal(nodeOfRef(last))
  }, [selection])

  // A World that comes to those here is shown; those that were here before are where they were.
  const amount = useRef(worlds.attached.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a World more moves the view
  useEffect(() => {
    if (worlds.attached.length > amount.current) view.fit()
    amount.current = worlds.attached.length
  }, [worlds.attached.length])

  const connect = (at: LinkStart, name: string) => {
    if (wouldCircle(at.entryId, name, store.getState().document, parts)) {
      say(`${name} is made of this connector itself, so neither could ever exist first.`)
      return
    }
    // What it led to before stays on the canvas.
    const before = byKey.get(graph.links.find(({ line: from }) => from === refKey(at))?.to ?? '')
    const spot = before && before.entry !== undefined ? places.get(before.key) : undefined
    store.edit(at.kind === 'binding' ? 'Fill slot' : 'Choose connector', (document) => {
      const linked = link(document, at, name)
      return spot && rootId !== undefined ? place(linked, rootId, new Map([[before!.key, spot]])) : linked
    })
    focusRef(at.kind === 'dimension' ? { ...at, kind: 'composite' } : at, false)
  }

  const connectNew = ({ at, dropped }: Asked) => {
    if (rootId === undefined) return
    const entryId = newId()
    store.edit('New connector', (document) => {
      const name = freeName(document.entries, 'connector', 'my_connector')
      const made = addEntry(document, { entry: newConnector(entryId, name, newId()) })
      const linked = link(made, at, name)
      return dropped ? place(linked, rootId, new Map([[ownKey(entryId), dropped]])) : linked
    })
    focusNode(ownKey(entryId))
  }

  const dragLink = useCallback((lineKey: string) => {
    for (const { lines } of latest.current.values()) {
      const found = lines.find(({ key }) => key === lineKey)
      if (found) return found
    }
    return undefined
  }, [])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // A World is no part of the document.
    if ((event.target as Element).closest('[data-world]')) return
    const inField = event.target instanceof HTMLInputElement
    const handled = () => event.preventDefault()
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (inField && (event.key === 'Escape' || (event.key === 'Enter' && plain)) && node) {
      handled()
      if (event.key === 'Escape') {
        if (line) view.focus(node.key, lineSelector(line.key))
        else focusNode(node.key)
      } else step(line === undefined ? 0 : node.lines.indexOf(line) + 1)
      return
    }
    const onButton = event.target instanceof HTMLButtonElement
    if (onButton && (event.key === 'Enter' || event.key === ' ')) return
    for (const action of actions) {
      if (action.native || (inField && !/^(Alt|Mod)\+/.test(action.shortcut))) continue
      if (!matchesShortcut(event, action.shortcut)) continue
      if (!action.enabled && action.shortcut.startsWith('Alt+')) continue
      handled()
      if (action.enabled) action.run()
      return
    }
    if (inField || !node) return
    if (event.altKey && event.key.startsWith('Arrow') && line === undefined) {
      handled()
      nudge(event.key)
      return
    }
    if (!plain && event.key !== '+') return
    keys(event.key, handled)
  }

  /** The focus on a line of the current node, or on the node itself. */
  const step = (index: number) => {
    if (!node) return
    const next = node.lines[Math.min(index, node.lines.length - 1)]
    if (index < 0 || next === undefined) focusNode(node.key)
    else focusOn(node.key, next.key, lineSelector(next.key))
  }

  const nudge = (key: string) => {
    const by = { ArrowUp: [0, -20], ArrowDown: [0, 20], ArrowLeft: [-20, 0], ArrowRight: [20, 0] }[key]
    if (!by) return
    const spots = chosen.flatMap((each): [string, Point][] => {
      const at = places.get(each.key)
      return at ? [[each.key, { x: at.x + by[0]!, y: at.y + by[1]! }]] : []
    })
    move(new Map(spots))
  }

  const keys = (key: string, handled: () => void) => {
    if (!node) return
    const index = line === undefined ? -1 : node.lines.indexOf(line)
    if (key === '+' || key === '=') view.zoom(1.25)
    else if (key === '-') view.zoom(0.8)
    else if (key === 'f' || key === 'F') view.fit()
    else if (key === 'g' || key === 'G') tidyUp()
    else if (key === 'Home') focusNode(top)
    else if (key === 'Escape') focusNode(node.key)
    else if (key === 'F2') view.focusField(node.key, `${nodeSelector(node.key)} [data-name]`)
    else if (line !== undefined) {
      if (key === 'ArrowDown') step(index + 1)
      else if (key === 'ArrowUp') step(index - 1)
      else if (key === 'ArrowLeft') focusNode(node.key)
      else if (key === 'ArrowRight' || key === 'Enter') into()
      else return
    } else if (key === 'Enter') {
      if (node.open) step(0)
      else context.toggle(node.key)
    } else if (key.startsWith('Arrow')) {
      const next = moved(key, node.key, graph.links, places)
      if (next !== undefined) focusNode(next)
    } else return
    handled()
  }

  /** Into the first field of the line, or to where it leads. */
  const into = () => {
    if (!node || !line) return
    const target = graph.links.find(({ line: from }) => from === line.key)?.to
    if (line.kind === 'slots') tools.toggleSlots(line.key.slice('slots '.length))
    else if (node.state !== 'own') {
      if (target !== undefined) focusNode(target)
    } else if (line.kind === 'dimension') {
      if (line.scalar) setAsked({ at: line.at as LinkStart, dropped: undefined })
      else step(node.lines.indexOf(line) + 1)
    } else view.focusField(node.key, `${lineSelector(line.key)} [data-field]`)
  }

  const tidyUp = () => {
    layOutAgain()
    store.edit('Lay out', (document) => forgetWorldPlaces(document, of), { merge: 'lay out' })
    requestAnimationFrame(() => view.fit())
    say('Laid out.')
  }

  const onCopy = (event: ClipboardEvent<HTMLDivElement>) => {
    if (event.target instanceof HTMLInputElement || copied === undefined) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', copied)
    say('Copied.')
  }
  const onCut = (event: ClipboardEvent<HTMLDivElement>) => {
    const remove = actions.find((action) => action.id === 'remove')
    if (event.target instanceof HTMLInputElement || copied === undefined || !remove?.enabled) return
    onCopy(event)
    remove.run()
  }
  const onPaste = (event: ClipboardEvent<HTMLDivElement>) => {
    if (event.target instanceof HTMLInputElement || rootId === undefined) return
    event.preventDefault()
    pasteText(event.clipboardData.getData('text/plain'))
  }

  return (
    <GraphToolsContext value={tools}>
      <ActionBar actions={actions} label="What can be done with what is chosen" />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the canvas inside is the application */}
      <div ref={frame} onKeyDown={onKeyDown} onCopy={onCopy} onCut={onCut} onPaste={onPaste}>
        <Canvas
          id={id}
          label={`Graph of ${byKey.get(top)?.name || 'the connector'}`}
          graph={graph}
          places={places}
          choice={choice}
          editable={rootId !== undefined}
          onChoose={choose}
          onMove={move}
          onInit={() => view.open(choice.nodes.at(-1) ?? top)}
          onFit={view.fit}
          onZoom={view.zoom}
          onTidy={tidyUp}
          onEnter={() => node && focusNode(node.key)}
          onLink={(lineKey, target) => {
            const start = startOf(dragLink(lineKey))
            const name = byKey.get(target)?.name
            if (start && name) connect(start, name)
          }}
          onDrop={(lineKey, at) => {
            const start = startOf(dragLink(lineKey))
            if (start) setAsked({ at: start, dropped: at })
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
        title={asked && titleOf(asked.at)}
        onPick={(name) => {
          setAsked(undefined)
          if (asked) requestAnimationFrame(() => connect(asked.at, name))
        }}
        onNew={() => {
          setAsked(undefined)
          if (asked) requestAnimationFrame(() => connectNew(asked))
        }}
        onClose={() => setAsked(undefined)}
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

function startOf(line: { readonly at: NodeRef } | undefined): LinkStart | undefined {
  const at = line?.at
  return at?.kind === 'dimension' || at?.kind === 'composite' || at?.kind === 'binding' ? at : undefined
}

function titleOf(at: LinkStart): string {
  return at.kind === 'binding' ? `What fills slot ${at.slot}?` : 'What does the dimension lead to?'
}

function Notes({ left }: { left: number }) {
  return (
    <p className="pt-2 text-ink-soft text-sm">
      {left > 0 ? `${left} more connectors do not fit here; collapse some to see others. ` : ''}
      Drag from a dot to another connector, or onto the empty canvas. Arrow keys go from one to the next,
      Enter goes into one, Escape back; Alt with arrow keys moves it.
    </p>
  )
}

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
