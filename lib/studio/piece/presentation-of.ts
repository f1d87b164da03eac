import { DEFAULT_TEMPO } from '#lib/engine/sound/arrangement.ts'
import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import {
  type KnobWords,
  MAX_PATHS_WITH_WORDS,
  MAX_SHOWN_KNOBS,
  type NumberPlace,
  type Presentation,
  presentationProblem,
  readNumberPlace,
  type SoundWords,
  type WorldWords,
  writeNumberPlace,
} from '#lib/protocol/presentation.ts'
import type { Knob } from '../document/knob.ts'
import { entriesBelow } from '../document/node-ref.ts'
import { type ConnectorEntry, DEFAULT_STEPS, type StudioDocument } from '../document/types.ts'

const STEPS_PER_BEAT = 4

/**
 * The presentation of a connector as the studio plays it: its length, tempo, knobs, sound and World.
 *
 * @param world The World that draws it; undefined for none.
 */
export function presentationOf(
  document: StudioDocument,
  root: ConnectorEntry,
  world: WorldWords | undefined,
): Presentation {
  const { bpm = DEFAULT_TEMPO, stepsPerBeat = STEPS_PER_BEAT, loop = true } = root.sound ?? {}
  const sound = soundWords(root.sound ?? {})
  const knobs = knobWords(document, root)
  return {
    particles: root.steps ?? DEFAULT_STEPS,
    tempo: Math.round(bpm * stepsPerBeat),
    loop,
    ...(world && { world }),
    ...(knobs.length > 0 && { knobs }),
    ...(Object.keys(sound).length > 0 && { sound }),
  }
}

/**
 * A presentation with the knobs of an earlier one that turn numbers of connectors outside the document: those cannot have
 * been taken away there.
 */
export function withKnobsOutside(
  document: StudioDocument,
  root: ConnectorEntry,
  present: Presentation,
  before: Presentation | undefined,
): Presentation {
  const inside = new Set(entriesBelow(document, root).map(({ name }) => name))
  const outside = (before?.knobs ?? []).filter(({ at }) => {
    const connector = readNumberPlace(at)?.connector
    return connector !== undefined && !inside.has(connector)
  })
  if (outside.length === 0) return present
  return { ...present, knobs: [...(present.knobs ?? []), ...outside].slice(0, MAX_SHOWN_KNOBS) }
}

/** Whether an author shaped how a connector sounds or looks, so that it is a piece rather than a part of others. */
export function isPiece(document: StudioDocument, root: ConnectorEntry, hasWorld: boolean): boolean {
  return hasWorld || root.sound !== undefined || knobWords(document, root).length > 0
}

/** A title made of a name: `first_light_2` reads "First light 2". */
export function titleOf(name: string): string {
  const words = name.replaceAll(/_+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function soundWords({ root, scale, stepsPerBeat, swing, paths = [] }: ConnectorSound): SoundWords {
  const own = paths.filter((path) => Object.keys(path).length > 1).slice(0, MAX_PATHS_WITH_WORDS)
  return {
    ...(root !== undefined && root !== 0 && { root }),
    ...(scale !== undefined && { scale }),
    ...(stepsPerBeat !== undefined && stepsPerBeat !== STEPS_PER_BEAT && { steps_per_beat: stepsPerBeat }),
    ...(swing !== undefined && swing !== 0 && { swing }),
    ...(own.length > 0 && { paths: own }),
  }
}

/** Knobs of the connector first, then those of the connectors that it is made of. */
export function knobsWithParts(document: StudioDocument, root: ConnectorEntry): readonly EntryKnob[] {
  const others = entriesBelow(document, root).filter(({ id }) => id !== root.id)
  return [root, ...others].flatMap((entry) =>
    entry.kind === 'connector' ? (entry.knobs ?? []).map((knob) => ({ entry, knob })) : [],
  )
}

/** A knob with the connector that has it. */
export interface EntryKnob {
  readonly entry: ConnectorEntry
  readonly knob: Knob
}

function knobWords(document: StudioDocument, root: ConnectorEntry): readonly KnobWords[] {
  return knobsWithParts(document, root)
    .flatMap(({ entry, knob }) => {
      const place = placeOf(entry, knob)
      if (place === undefined) return []
      const at = writeNumberPlace(entry === root ? place : { ...place, connector: entry.name })
      const name = knob.name.trim()
      return name === '' ? [] : [{ name, at, min: knob.min, max: knob.max }]
    })
    .filter(
      (knob) => presentationProblem({ particles: 1, tempo: 20, loop: true, knobs: [knob] }) === undefined,
    )
    .slice(0, MAX_SHOWN_KNOBS)
}

function placeOf({ dimensions }: ConnectorEntry, { target }: Knob): NumberPlace | undefined {
  if (target.kind !== 'call') return target
  const { callId, index } = target
  for (const [dimension, { calls }] of dimensions.entries()) {
    const call = calls.findIndex(({ id }) => id === callId)
    if (call !== -1) return { kind: 'call', dimension, call, index }
  }
  return undefined
}
