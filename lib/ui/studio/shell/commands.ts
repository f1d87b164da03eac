'use client'

import { useRef } from 'react'
import { TEMPO } from '#lib/protocol/sound-limits.ts'
import { keyOfAction } from '#lib/studio/actions.ts'
import { copy, paste, writeClip } from '#lib/studio/document/clip.ts'
import { removeEntry } from '#lib/studio/document/commands/entries.ts'
import { MAX_FILE_LENGTH, readFile, writeFile } from '#lib/studio/document/file.ts'
import { type Entry, newId, tabKey, withoutTab } from '#lib/studio/document/types.ts'
import { MAX_WORKSPACE_NAME } from '#lib/studio/keep/workspace-store.ts'
import { transport } from '#lib/studio/sound/transport.ts'
import { saveFile } from '#lib/ui/components/save-file.ts'
import { THEME_SWITCH } from '#lib/ui/components/theme-script.ts'
import { useEditorChoice, useGraphFits } from '../common/editor-choice.ts'
import type { MenuItem } from '../common/menu.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { copyAnnounced } from '../common/transfer.ts'
import { useTransport } from '../transport/use-transport.ts'
import { useWorkspaces } from '../workspaces/use-workspaces.ts'
import { useNewEntry } from './entry-list.tsx'

export type DialogName = 'palette' | 'shortcuts' | 'lessons' | 'history' | 'templates' | 'share'

/** Every command of the studio, in groups. Menus, palette and keyboard read the same lists. */
export interface Commands {
  readonly make: readonly MenuItem[]
  /** Of the entry in front. */
  readonly entry: readonly MenuItem[]
  readonly workspace: readonly MenuItem[]
  readonly edit: readonly MenuItem[]
  /** Of what is loaded into the transport. */
  readonly sound: readonly MenuItem[]
  readonly help: readonly MenuItem[]
  readonly site: readonly MenuItem[]
}

const KINDS = ['connector', 'transformation', 'condition'] as const

/** Downloads a text as a JSON file. */
export function download(text: string, name: string): void {
  saveFile(new Blob([text], { type: 'application/json' }), name)
}

/** What commands open. */
interface Openers {
  readonly show: (dialog: DialogName) => void
  /** Opens the choice of a file to import. */
  readonly chooseFile: () => void
  /** Shows variations of the connector in front. */
  readonly explore: () => void
}

/** Facts of an entry that its commands show. */
export type EntryHead = Pick<Entry, 'id' | 'kind' | 'name'>

/** @param entry The one in front. */
export function useCommands(entry: EntryHead | undefined, { show, chooseFile, explore }: Openers): Commands {
  const { document: store, openTab, announce } = useCurrentSession()
  const undoLabel = useSession((state) => state.undoLabel)
  const redoLabel = useSession((state) => state.redoLabel)
  const { manager, state: workspaces, showAll } = useWorkspaces()
  const [, choose] = useEditorChoice()
  const room = useGraphFits()
  const create = useNewEntry()
  const sound = useSoundCommands()
  const at = entry && ({ kind: 'entry', entryId: entry.id } as const)
  const clipOf = () => at && copy(store.getState().document, [at])
  const name = entry?.name || entry?.kind || ''

  const duplicate = () => {
    const clip = clipOf()
    if (clip === undefined || at === undefined) return
    let added: string | undefined
    store.edit('Duplicate', (document) => {
      const pasted = paste(document, clip, { at, newId })
      added = pasted.added[0]?.entryId
      return pasted.document
    })
    if (added !== undefined) openTab({ kind: 'entry', entryId: added })
  }
  const remove = () => {
    if (entry === undefined || at === undefined) return
    store.edit(`Remove ${entry.kind}`, (document) => removeEntry(document, { entryId: entry.id }))
    store.setView((view) => withoutTab(view, tabKey(at)))
    announce(`Removed ${name}. Undo brings it back.`)
  }
  const exportWork = () => {
    const { document, view } = store.getState()
    const current = workspaces.items.find(({ id }) => id === workspaces.current)
    download(writeFile({ document, view }), fileName(current?.name))
  }

  return {
    make: [
      { id: 'template', label: 'New from a template…', run: () => show('templates') },
      ...KINDS.map((kind) => ({ id: `new-${kind}`, label: `New ${kind}`, run: () => create(kind) })),
    ],
    entry:
      entry === undefined
        ? []
        : [
            ...(entry.kind === 'connector'
              ? [{ id: 'explore', label: `Explore variations of ${name}`, run: explore }]
              : []),
            { id: 'duplicate', label: `Duplicate ${name}`, run: duplicate },
            {
              id: 'copy',
              label: `Copy ${name}`,
              run: () => {
                const clip = clipOf()
                if (clip) void copyAnnounced(writeClip(clip), announce, `Copied ${name}.`)
              },
            },
            { id: 'remove', label: `Remove ${name}`, run: remove },
          ],
    workspace: [
      { id: 'workspaces', label: 'Workspaces…', run: showAll },
      ...(manager.server === undefined
        ? []
        : [{ id: 'history', label: 'History…', run: () => show('history') }]),
      { id: 'share', label: 'Share…', run: () => show('share') },
      { id: 'export', label: 'Export', run: exportWork },
      { id: 'import', label: 'Import…', run: chooseFile },
    ],
    edit: [
      {
        id: 'undo',
        label: undoLabel === undefined ? 'Undo' : `Undo: ${undoLabel}`,
        shortcut: keyOfAction('undo'),
        enabled: undoLabel !== undefined,
        run: store.undo,
      },
      {
        id: 'redo',
        label: redoLabel === undefined ? 'Redo' : `Redo: ${redoLabel}`,
        shortcut: keyOfAction('redo'),
        enabled: redoLabel !== undefined,
        run: store.redo,
      },
      ...(room
        ? [
            { id: 'outline', label: 'Show the outline', run: () => choose({ editor: 'outline' }) },
            { id: 'graph', label: 'Show the graph', run: () => choose({ editor: 'graph' }) },
          ]
        : []),
    ],
    sound,
    help: [
      {
        id: 'palette',
        label: 'Find and commands',
        shortcut: keyOfAction('palette'),
        run: () => show('palette'),
      },
      {
        id: 'theme',
        label: 'Switch between light and dark',
        run: () => document.querySelector<HTMLElement>(`[${THEME_SWITCH}]`)?.click(),
      },
      { id: 'lessons', label: 'Lessons', run: () => show('lessons') },
      {
        id: 'shortcuts',
        label: 'Shortcuts',
        shortcut: keyOfAction('shortcuts'),
        run: () => show('shortcuts'),
      },
    ],
    site: [
      { id: 'site-worlds', label: 'Worlds', href: '/worlds' },
      { id: 'site-discover', label: 'Discover', href: '/discover' },
      { id: 'site-feed', label: 'Activity', href: '/feed' },
      { id: 'site-docs', label: 'Docs', href: '/docs' },
    ],
  }
}

const TEMPO_STEP = 5

function useSoundCommands(): readonly MenuItem[] {
  const { playing, source, arrangement } = useTransport()
  const play = {
    id: 'play',
    label: playing ? 'Stop' : 'Play',
    shortcut: keyOfAction('play'),
    enabled: source !== undefined,
    run: transport.toggle,
  }
  if (source === undefined || arrangement === undefined) return [play]
  const { loop, bpm } = arrangement
  const tempo = (id: string, words: string, to: number): MenuItem => ({
    id,
    label: `${words}: ${Math.round(to)} beats a minute`,
    enabled: to >= TEMPO.min && to <= TEMPO.max,
    run: () => source.onSound('Change tempo', (sound) => ({ ...sound, bpm: to }), 'sound/bpm'),
  })
  return [
    play,
    {
      id: 'loop',
      label: loop ? 'Loop: end after the last step' : 'Loop: begin again after the last step',
      run: () => source.onSound('Loop', (sound) => ({ ...sound, loop: !loop })),
    },
    tempo('faster', 'Tempo up', bpm + TEMPO_STEP),
    tempo('slower', 'Tempo down', bpm - TEMPO_STEP),
  ]
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

/** Of letters that every system takes. */
function fileName(name = ''): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return `${safe.slice(0, 60) || 'work'}.weft.json`
}
