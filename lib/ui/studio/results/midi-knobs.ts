import { useEffect, useSyncExternalStore } from 'react'
import { useStudio } from '../common/context.tsx'
import { setNumber } from '../document/commands/knobs.ts'
import { targetKey, turned } from '../document/knob.ts'
import type { ConnectorEntry } from '../document/types.ts'
import { createValue } from '../document/value.ts'
import { onMidiControl, openMidi } from '../transport/midi-devices.ts'

/** Knobs and the controllers of this machine that turn them, as long as the page lives: other machines have others. */
interface Learned {
  /** `midiKey` of the knob that takes the next controller that moves. */
  readonly learning: string | undefined
  /** Controller numbers by `midiKey`. */
  readonly controllers: ReadonlyMap<string, number>
}

const learned = createValue<Learned>({ learning: undefined, controllers: new Map() })

/** Names a knob among those of all connectors. */
export function midiKey(entryId: string, target: Parameters<typeof targetKey>[0]): string {
  return `${entryId}/${targetKey(target)}`
}

export function useLearned(): Learned {
  return useSyncExternalStore(learned.subscribe, learned.get, learned.get)
}

/** Waits for a controller to move, which turns the knob from then on; undefined stops waiting. */
export function learn(key: string | undefined): void {
  learned.set({ ...learned.get(), learning: key })
  if (key !== undefined) void openMidi()
}

/** Lets MIDI controllers turn the knobs of a connector. */
export function useMidiKnobs({ id, knobs = NONE }: ConnectorEntry): void {
  const { store } = useStudio()
  useEffect(
    () =>
      onMidiControl((controller, control) => {
        const { learning, controllers } = learned.get()
        const own = new Map(knobs.map((knob) => [midiKey(id, knob.target), knob]))
        if (learning !== undefined && own.has(learning)) {
          const others = [...controllers].filter(([, known]) => known !== controller)
          learned.set({ learning: undefined, controllers: new Map([...others, [learning, controller]]) })
        }
        for (const [key, known] of learned.get().controllers) {
          const knob = known === controller ? own.get(key) : undefined
          if (knob === undefined) continue
          const text = String(turned(knob, control))
          store.edit(
            `Turn ${knob.name}`,
            (document) => setNumber(document, { entryId: id, target: knob.target }, text),
            { merge: `midi/${key}` },
          )
        }
      }),
    [store, id, knobs],
  )
}

const NONE: NonNullable<ConnectorEntry['knobs']> = []
