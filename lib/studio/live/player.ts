import { createStudioStore, type StudioStore } from '../document/store.ts'
import type { QuickPreview } from '../runs/quick-preview.ts'
import { createRuns, type Runs } from '../runs/runs.ts'
import type { Sound } from '../sound/midi-devices.ts'

/** Things that a page has once, whatever plays in it. */
export interface Devices {
  /** Called with the first run. */
  readonly engine: () => QuickPreview
  readonly sound: Sound
}

/** A document with its runs and its sound: a session without a storage, as public pages play what is published. */
export interface Player {
  readonly document: StudioStore
  readonly runs: Runs
  readonly sound: Sound
}

/** Creates a player. @param document By default an empty one. */
export function createPlayer({ engine, sound }: Devices, document = createStudioStore()): Player {
  document.subscribe(sound.transport.edited)
  return { document, runs: createRuns(engine), sound }
}
