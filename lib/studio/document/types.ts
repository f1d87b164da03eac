import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import type { Knob } from './knob.ts'

/*
 * The studio's document: named entries that refer to each other by name, as the protocol does. Numbers are the typed
 * text, validated by `problems.ts`. Plain JSON, stored and sent as it is.
 */

/** State that undo and redo go through. Entry names may repeat while someone types; that is a problem, not an error. */
export interface StudioDocument {
  readonly entries: readonly Entry[]
  /** Places of nodes that were moved by hand; the others are laid out. */
  readonly places: readonly Place[]
  /** Worlds that draw what connectors generate, in the order in which they were attached; absent for none. */
  readonly worlds?: readonly AttachedWorld[] | undefined
}

export type Entry = ConnectorEntry | CodeEntry

/** Something published, as it was when an entry began as its remix. */
export interface Origin {
  readonly kind: 'connector' | 'transformation' | 'condition'
  readonly name: string
  /** Its owner's address, lower case. */
  readonly owner: string
  readonly contentHash: string
}

/** Unique in a document, never reused, never shown. Ids are data: they may read `__proto__`. */
export type Id = string

export interface ConnectorEntry {
  readonly kind: 'connector'
  readonly id: Id
  readonly name: string
  readonly dimensions: readonly DraftDimension[]
  /** Null for none. */
  readonly condition: DraftCondition | null
  /** Ascending by position, no repeats. */
  readonly staticRi: readonly DraftRunningInstance[]
  /** Absent while everything about its sound is guessed. */
  readonly sound?: ConnectorSound | undefined
  /** Origin of a remix. */
  readonly madeFrom?: Origin | undefined
  /** Once for each number at most; absent for none. */
  readonly knobs?: readonly Knob[] | undefined
  /** Steps of the piece, 1 to 65,536; absent for `DEFAULT_STEPS`. */
  readonly steps?: number | undefined
}

export const DEFAULT_STEPS = 64

/** A transformation or condition. */
export interface CodeEntry {
  readonly kind: 'transformation' | 'condition'
  readonly id: Id
  readonly name: string
  /** The author's own text: the body of the Solidity function. */
  readonly source: string
  /** Origin of a remix. */
  readonly madeFrom?: Origin | undefined
}

export type CodeKind = CodeEntry['kind']

export interface DraftDimension {
  readonly id: Id
  readonly calls: readonly DraftCall[]
  /** Name of a connector; empty for a scalar. */
  readonly composite: string
  /** Ascending by slot, no repeats. */
  readonly bindings: readonly DraftBinding[]
}

export interface DraftCall {
  readonly id: Id
  /** Name of a transformation. */
  readonly name: string
  /** One text a field; a uint32 each once it is finished. */
  readonly args: readonly string[]
}

export interface DraftBinding {
  /** uint32 */
  readonly slot: number
  /** Name of a connector. */
  readonly name: string
}

export interface DraftCondition {
  /** Name of a condition. */
  readonly name: string
  /** One text a field; an int32 each once it is finished. */
  readonly args: readonly string[]
}

export interface DraftRunningInstance {
  /** uint32; 0 is the start of the indices. */
  readonly position: number
  /** A uint32 once it is finished. */
  readonly startPoint: string
  /** A uint32 once it is finished. */
  readonly transformationShift: string
}

/** A node of an entry's graph. `node` is the key of a `NodeRef` (`refKey`), or any other key of the graph's own. */
export interface Place extends Point {
  readonly entryId: Id
  readonly node: string
}

/** Pixels of the canvas. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Open entries and the view. Saved with the document, but not a step of undo. */
export interface StudioView {
  readonly tabs: readonly Tab[]
  /** `tabKey` of a tab in `tabs`; null when none is open. */
  readonly active: string | null
}

export interface AttachedWorld {
  /** `tabKey` of the connector's tab, whether it is open or not; that of something published, too. */
  readonly of: string
  /** Id of the World. */
  readonly world: string
  /** Place in the graph; absent while it is laid out beside its connector. */
  readonly place?: Point | undefined
  /** Connectors chosen for its slots, once each; absent for none. */
  readonly slots?: readonly SlotChoice[] | undefined
}

export type Tab =
  | { readonly kind: 'entry'; readonly entryId: Id }
  /** Something published, read-only. */
  | { readonly kind: 'published'; readonly entity: Entry['kind']; readonly name: string }

export const EMPTY_DOCUMENT: StudioDocument = { entries: [], places: [] }
export const EMPTY_VIEW: StudioView = { tabs: [], active: null }

/** Names a tab among the open ones. */
export function tabKey(tab: Tab): string {
  return tab.kind === 'entry' ? `entry/${tab.entryId}` : `published/${tab.entity}/${tab.name}`
}

/** The tab in front; undefined when none is open. */
export function tabInFront({ tabs, active }: StudioView): Tab | undefined {
  return tabs.find((tab) => tabKey(tab) === active)
}

/** The entry whose tab is in front; undefined for none. */
export function entryInFront({ entries }: StudioDocument, view: StudioView): Entry | undefined {
  const front = tabInFront(view)
  return front?.kind === 'entry' ? entries.find(({ id }) => id === front.entryId) : undefined
}

/** Makes ids; tests and replays bring their own. */
export type NewId = () => Id

/** 80 random bits as text. */
export function newId(): Id {
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Brings a tab to the front; opens it at the end when it is not open. */
export function withTab(view: StudioView, tab: Tab): StudioView {
  const key = tabKey(tab)
  const known = view.tabs.some((other) => tabKey(other) === key)
  if (known && view.active === key) return view
  return { ...view, tabs: known ? view.tabs : [...view.tabs, tab], active: key }
}

/** Closes a tab. When it was in front, its neighbour takes its place. */
export function withoutTab(view: StudioView, key: string): StudioView {
  const index = view.tabs.findIndex((tab) => tabKey(tab) === key)
  if (index === -1) return view
  const tabs = view.tabs.filter((_, place) => place !== index)
  if (view.active !== key) return { ...view, tabs }
  const next = tabs[Math.min(index, tabs.length - 1)]
  return { ...view, tabs, active: next === undefined ? null : tabKey(next) }
}
