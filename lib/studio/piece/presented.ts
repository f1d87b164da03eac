import { soundOf } from '#lib/engine/sound/presented-sound.ts'
import { type KnobWords, type Presentation, readNumberPlace } from '#lib/protocol/presentation.ts'
import { numberText } from '../document/commands/knobs.ts'
import type { NumberTarget } from '../document/knob.ts'
import type { ConnectorEntry } from '../document/types.ts'
import type { EntryKnob } from './presentation-of.ts'

/** An entry that begins as a published piece: with its length, sound and knobs of its own numbers. */
export function withPresentation(entry: ConnectorEntry, present: Presentation | undefined): ConnectorEntry {
  if (present === undefined) return entry
  const own = presentedKnobs(present.knobs ?? [], entry.name, new Map([[entry.name, entry]]))
  return {
    ...entry,
    sound: soundOf(present),
    steps: present.particles,
    ...(own.length > 0 && { knobs: own.map(({ knob }) => knob) }),
  }
}

/**
 * The knobs of a presentation, as far as the connector has the numbers that they turn.
 *
 * @param entries Connectors of the tree by name.
 */
export function presentedKnobs(
  knobs: readonly KnobWords[],
  root: string,
  entries: ReadonlyMap<string, ConnectorEntry>,
): readonly EntryKnob[] {
  return knobs.flatMap(({ name, at, min, max }) => {
    const place = readNumberPlace(at)
    const entry = place && entries.get(place.connector ?? root)
    if (place === undefined || entry === undefined) return []
    const target = targetOf(entry, place)
    return target === undefined || numberText(entry, target) === undefined
      ? []
      : [{ entry, knob: { name, target, min, max } }]
  })
}

function targetOf(
  { dimensions }: ConnectorEntry,
  place: NonNullable<ReturnType<typeof readNumberPlace>>,
): NumberTarget | undefined {
  switch (place.kind) {
    case 'call': {
      const call = dimensions[place.dimension]?.calls[place.call]
      return call && { kind: 'call', callId: call.id, index: place.index }
    }
    case 'condition':
      return { kind: 'condition', index: place.index }
    default:
      return { kind: place.kind, position: place.position }
  }
}
