'use client'

import { useRef } from 'react'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { TEMPO } from '#lib/protocol/sound-limits.ts'
import { type Action, bindActions, type Handler, type Handlers } from '#lib/studio/actions.ts'
import { copy, paste, writeClip } from '#lib/studio/document/clip.ts'
import { removeEntry } from '#lib/studio/document/commands/entries.ts'
import { MAX_FILE_LENGTH, readFile, writeFile } from '#lib/studio/document/file.ts'
import { same } from '#lib/studio/document/same.ts'
import { type Entry, newId, tabKey, withoutTab } from '#lib/studio/document/types.ts'
import { MAX_WORKSPACE_NAME } from '#lib/studio/keep/workspace-store.ts'
import type { Source, TransportState } from '#lib/studio/sound/transport.ts'
import { saveFile } from '#lib/ui/components/save-file.ts'
import { THEME_SWITCH } from '#lib/ui/components/theme-script.ts'
import { useSelected } from '#lib/ui/components/value.ts'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'
import { useCurrentSession, useSession, useSound } from '../common/session.tsx'
import { copyAnnounced } from '../common/transfer.ts'
import { switchLoop } from '../transport/transport-controls.tsx'
import { useWorkspaceName, useWorkspaces } from '../workspaces/use-workspaces.ts'
import { useNewEntry } from './entry-list.tsx'

export type DialogName = 'palette' | 'shortcuts' | 'lessons' | 'history' | 'templates' | 'share'

/** Downloads a text as a JSON file. */
export function download(text: string, name: string): void {
  saveFile(new Blob([text], { type: 'application/json' }), name)
}

/** Openers of the dialogs that commands open. */
interface Openers {
  readonly show: (dialog: DialogName) => void
  /** Opens the choice of a file to import. */
  readonly chooseFile: () => void
  /** Shows variations of the connector in front. */
  readonly explore: () => void
  /** Shows and hides the assistant; undefined where there is none. */
  readonly assist: (() => void) | undefined
}

/** Facts of an entry that its commands show. */
export type EntryHead = Pick<Entry, 'id' | 'kind' | 'name'>

/**
 * The actions of menus, palette and keyboard, in the order of the table.
 *
 * @param entry The one in front.
 * @param look What can be done with a shared draft that is looked at, in place of the workspace's own.
 */
export function useCommands(
  entry: EntryHead | undefined,
  openers: Openers,
  look: Handlers | undefined,
): readonly Action[] {
  const { document: store, openTab, announce } = useCurrentSession()
  const undoLabel = useSession((state) => state.undoLabel)
  const redoLabel = useSession((state) => state.redoLabel)
  const [, choose] = useEditorChoice()
  const room = useGraphFits()
  const create = useNewEntry()
  const sound = useSoundCommands()
  const workspace = useWorkspaceCommands(openers)
  const { show, explore, assist } = openers
  const at = entry && ({ kind: 'entry', entryId: entry.id } as const)
  const clipOf = () => at && copy(store.getState().document, [at])
  const name = entry?.name || entry?.kind || ''

  const duplicate = () => {
    const clip = clipOf()
    if (clip === undefined || at === undefined) return
    const pasted = paste(store.getState().document, clip, { at, newId })
    store.edit('Duplicate', () => pasted.document)
    const [added] = pasted.added
    if (added !== undefined) openTab({ kind: 'entry', entryId: added.entryId })
  }
  const copyEntry = () => {
    const clip = clipOf()
    if (clip) void copyAnnounced(writeClip(clip), announce, `Copied ${name}.`)
  }
  const remove = () => {
    if (entry === undefined || at === undefined) return
    store.edit(`Remove ${kindWord(entry.kind)}`, (document) => removeEntry(document, { entryId: entry.id }))
    store.setView((view) => withoutTab(view, tabKey(at)))
    announce(`Removed ${name}.`, store.getState().document)
  }
  return bindActions(
    {
      template: { run: () => show('templates') },
      'new-connector': { run: () => create('connector') },
      'new-transformation': { run: () => create('transformation') },
      'new-condition': { run: () => create('condition') },
      ...(entry && {
        ...(entry.kind === 'connector' && {
          explore: { label: `Explore variations of ${name}`, run: explore },
        }),
        'duplicate-entry': { label: `Duplicate ${name}`, run: duplicate },
        'copy-entry': { label: `Copy ${name}`, run: copyEntry },
        'remove-entry': { label: `Remove ${name}`, run: remove },
      }),
      ...(look ?? workspace),
      undo: {
        ...(undoLabel !== undefined && { label: `Undo: ${undoLabel}` }),
        enabled: undoLabel !== undefined,
        run: store.undo,
      },
      redo: {
        ...(redoLabel !== undefined && { label: `Redo: ${redoLabel}` }),
        enabled: redoLabel !== undefined,
        run: store.redo,
      },
      ...(room && {
        score: { run: () => choose({ editor: 'score' }) },
        list: { run: () => choose({ editor: 'list' }) },
        graph: { run: () => choose({ editor: 'graph' }) },
      }),
      ...sound,
      palette: { run: () => show('palette') },
      ...(assist && { assistant: { run: assist } }),
      theme: { run: () => document.querySelector<HTMLElement>(`[${THEME_SWITCH}]`)?.click() },
      lessons: { run: () => show('lessons') },
      shortcuts: { run: () => show('shortcuts') },
    },
    ['site'],
  )
}

function useWorkspaceCommands({ show, chooseFile }: Openers): Handlers {
  const { document: store } = useCurrentSession()
  const { manager, showAll } = useWorkspaces()
  const name = useWorkspaceName()
  const exportWork = () => {
    const { document, view } = store.getState()
    download(writeFile({ document, view }), fileName(name))
  }
  return {
    workspaces: { run: showAll },
    ...(manager.server !== undefined && { history: { run: () => show('history') } }),
    share: { run: () => show('share') },
    export: { run: exportWork },
    import: { run: chooseFile },
  }
}

const TEMPO_STEP = 5

/** The part of the transport that commands show: every run loads another source. */
function soundState({ playing, source, arrangement }: TransportState) {
  return {
    playing,
    isLoaded: source !== undefined,
    arranged: source && arrangement && { loop: arrangement.loop, bpm: arrangement.bpm },
  }
}

function useSoundCommands(): Handlers {
  const { transport } = useSound()
  const { playing, isLoaded, arranged } = useSelected(transport, soundState, same)
  const play: Handler = { label: playing ? 'Stop' : 'Play', enabled: isLoaded, run: transport.toggle }
  if (arranged === undefined) return { play }
  const { loop, bpm } = arranged
  const onSound: Source['onSound'] = (...change) => transport.getState().source?.onSound(...change)
  const tempo = (words: string, to: number): Handler => ({
    label: `${words}: ${Math.round(to)} beats a minute`,
    enabled: to >= TEMPO.min && to <= TEMPO.max,
    run: () => onSound('Change tempo', (sound) => ({ ...sound, bpm: to }), 'sound/bpm'),
  })
  return {
    play,
    loop: {
      label: loop ? 'Loop: end after the last step' : 'Loop: begin again after the last step',
      run: () => switchLoop({ onSound }, loop),
    },
    faster: tempo('Tempo up', bpm + TEMPO_STEP),
    slower: tempo('Tempo down', bpm - TEMPO_STEP),
  }
}

/**
 * Opens files: in an empty workspace as one step of undo, else each in a workspace of its own, so that nothing is
 * replaced.
 *
 * @returns the field that takes them, and what opens its choice.
 */
export function useFileImport() {
  const { document: store, announce } = useCurrentSession()
  const { manager } = useWorkspaces()
  const input = useRef<HTMLInputElement>(null)
  const open = async (file: File) => {
    const read =
      file.size > MAX_FILE_LENGTH * 4
        ? ({ ok: false, problems: ['The file is larger than 16 MiB.'] } as const)
        : readFile(await file.text(), newId)
    if (!read.ok) {
      announce(`${file.name} cannot be opened. ${read.problems.join(' ')}`)
      return
    }
    const { document, view } = read
    if (store.getState().document.entries.length === 0) {
      store.edit('Open file', () => document)
      store.setView(() => view)
      announce(`Opened ${file.name}.`)
      return
    }
    const name = file.name
      .replace(/(\.weft)?\.json$/i, '')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, MAX_WORKSPACE_NAME)
    try {
      await manager.create(name || 'Imported', { document, view })
      announce(`Opened ${file.name} in a workspace of its own. What you had is in Workspaces.`)
    } catch {
      announce(`${file.name} cannot be opened: this browser stores no workspaces.`)
    }
  }
  return { input, open, choose: () => input.current?.click() }
}

/** Name of a file in letters that every system takes. */
function fileName(name = ''): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return `${safe.slice(0, 60) || 'work'}.weft.json`
}
