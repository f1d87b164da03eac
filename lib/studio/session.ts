import { createValue, type Readable, type Value } from '#lib/browser/value.ts'
import { withFreeNames } from './document/free-names.ts'
import type { LibrarySource } from './document/parts.ts'
import { createStudioStore } from './document/store.ts'
import { type Entry, type Id, type StudioDocument, type Tab, withTab } from './document/types.ts'
import { type ComputeSheet, createSheets } from './explore/sheet-engine.ts'
import { type Autosave, startAutosave } from './keep/autosave.ts'
import type { ProgressStore } from './lessons/progress.ts'
import { createPictures, type Pictures } from './library/pictures.ts'
import { Stills } from './library/stills.ts'
import { createPlayer, type Devices, type Player } from './live/player.ts'
import { type SessionState, sessionState } from './session-state.ts'

/** Knobs and the MIDI controllers that turn them. */
export interface Learned {
  /** Key of the knob that takes the next controller that moves. */
  readonly learning: string | undefined
  /** Controller numbers by key of the knob. */
  readonly controllers: ReadonlyMap<string, number>
}

/** Words and choices for the publication of an entry, as far as its author has touched them. */
export interface PublicationDraft {
  readonly title?: string
  readonly sentence?: string
  /** True for a piece, false for a part of others. */
  readonly isPiece?: boolean
  /** False where the author wants no picture. */
  readonly hasPicture?: boolean
  readonly choices?: {
    /** Publish the bodies of transformations and conditions. */
    readonly openSource: boolean
    /** SPDX identifier; empty for none. */
    readonly licence: string
    /** By `itemKey`. */
    readonly descriptions: ReadonlyMap<string, string>
  }
}

/** Where a session keeps its document. */
export interface Storage {
  /** An address in lower case, or `VISITOR`. */
  readonly owner: string
  /** Id of the workspace. */
  readonly workspace: string
  /** Called with each change of the state of the save, before anyone sees it. */
  readonly onSave: () => void
}

/** Things of the page that its sessions share. */
export interface Surroundings extends Devices {
  readonly library: LibrarySource
  /**
   * Shows a text for a moment, in a live region.
   *
   * @param edited The document after the edit that it is about, which can be undone there while it is the last one.
   */
  readonly announce: (text: string, edited?: StudioDocument) => void
  /** Progress in the lessons of an owner: an address in lower case, or empty for a visitor. */
  readonly lessons: (owner: string) => ProgressStore
}

/**
 * One sitting in the studio: a document with what belongs to it, whatever shows it. Its storage can be exchanged below it:
 * a sign-in leaves the document open.
 */
export interface Session extends Readable<SessionState>, Player, Omit<Surroundings, keyof Devices> {
  readonly pictures: Pictures
  readonly computeSheet: ComputeSheet
  readonly stills: Stills
  /** Ids of entries whose plan of publication is open. */
  readonly plans: Value<ReadonlySet<Id>>
  /** Drafts of publications by id of the entry; they outlive an open plan. */
  readonly publicationDrafts: Value<ReadonlyMap<Id, PublicationDraft>>
  /** Controllers of this machine that turn knobs: other machines have others, so they are in no document. */
  readonly learned: Value<Learned>
  /** The save of the document; undefined until it is kept anywhere. */
  readonly save: Readable<Autosave | undefined>
  openTab(tab: Tab): void
  /** Opens the entry of a name, else the published entity. */
  openName(kind: Entry['kind'], name: string): void
  /** Entries of another origin under names that are free here and on chain; references among them follow. */
  freeNames(entries: readonly Entry[]): Promise<readonly Entry[]>
  /** Opens what is stored there; the workspace that was left a moment ago goes on as it is. */
  keepIn(storage: Storage): void
  /**
   * Writes what is not written yet, and keeps the document nowhere until `keepIn`.
   *
   * @returns the workspace that holds it; undefined when there is nothing in it.
   */
  leave(): Promise<string | undefined>
}

/** @param document By default an empty one. */
export function createSession(
  { engine, sound, ...shared }: Surroundings,
  document = createStudioStore(),
): Session {
  const state = sessionState(document, shared.library)
  const player = createPlayer({ engine, sound }, document)
  const { runs } = player
  const save = createValue<Autosave | undefined>(undefined)
  let kept: { readonly workspace: string; readonly autosave: Autosave } | undefined
  /** Last write of the workspace that was left. */
  let left: { readonly workspace: string; readonly document: StudioDocument } | undefined

  const leave = async () => {
    const { workspace, autosave } = kept ?? {}
    kept = undefined
    const written = await autosave?.stop()
    if (workspace === undefined || written === undefined) return undefined
    left = { workspace, document: written }
    return written.entries.length > 0 ? workspace : undefined
  }

  const openTab = (tab: Tab) => document.setView((view) => withTab(view, tab))

  return {
    ...shared,
    ...player,
    ...state,
    openTab,
    openName(kind, name) {
      const part = state.getState().parts.find(kind, name)
      if (typeof part === 'object' && part.from === 'document') {
        openTab({ kind: 'entry', entryId: part.entry.id })
      } else openTab({ kind: 'published', entity: kind, name })
    },
    freeNames: (entries) => withFreeNames(entries, document.getState().document, shared.library),
    pictures: createPictures(runs),
    computeSheet: createSheets(runs),
    stills: new Stills(),
    plans: createValue<ReadonlySet<Id>>(new Set()),
    publicationDrafts: createValue<ReadonlyMap<Id, PublicationDraft>>(new Map()),
    learned: createValue<Learned>({ learning: undefined, controllers: new Map() }),
    save,
    keepIn({ owner, workspace, onSave }) {
      void leave()
      const living = left?.workspace === workspace ? left.document : undefined
      left = undefined
      const autosave = startAutosave(document, owner, workspace, living)
      autosave.subscribe(onSave)
      kept = { workspace, autosave }
      save.setState(autosave)
    },
    leave,
  }
}
