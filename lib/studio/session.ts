import { createValue, type Readable, type Value } from '#lib/browser/value.ts'
import { createStudioStore, type StudioStore } from './document/store.ts'
import type { Id, StudioDocument } from './document/types.ts'
import { type Autosave, startAutosave } from './keep/autosave.ts'
import { createPictures, type Pictures } from './library/pictures.ts'
import type { QuickPreview } from './runs/quick-preview.ts'
import { createRuns, type Runs } from './runs/runs.ts'

/** Where a session keeps its document. */
export interface Storage {
  /** An address in lower case, or `VISITOR`. */
  readonly owner: string
  /** Id of the workspace. */
  readonly workspace: string
  /** Called with each change of the state of the save, before anyone sees it. */
  readonly onSave: () => void
}

/**
 * One sitting in the studio: a document with what belongs to it, whatever shows it. Its storage can be exchanged below it:
 * a sign-in leaves the document open.
 */
export interface Session {
  readonly document: StudioStore
  readonly runs: Runs
  readonly pictures: Pictures
  /** Ids of entries whose plan of publication is open. */
  readonly plans: Value<ReadonlySet<Id>>
  /** The save of the document; undefined until it is kept anywhere. */
  readonly save: Readable<Autosave | undefined>
  /** Opens what is stored there; the workspace that was left a moment ago goes on as it is. */
  keepIn(storage: Storage): void
  /**
   * Writes what is not written yet, and keeps the document nowhere until `keepIn`.
   *
   * @returns the workspace that holds it; undefined when there is nothing in it.
   */
  leave(): Promise<string | undefined>
}

/**
 * @param engine Of the page; asked for with the first run.
 * @param document By default an empty one.
 */
export function createSession(engine: () => QuickPreview, document = createStudioStore()): Session {
  const runs = createRuns(engine)
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

  return {
    document,
    runs,
    pictures: createPictures(runs),
    plans: createValue<ReadonlySet<Id>>(new Set()),
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
