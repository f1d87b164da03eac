'use client'

import { Popover } from '@base-ui/react/popover'
import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { readNumber } from '#lib/browser/typed-number.ts'
import {
  limitsOf,
  numberText,
  putKnob,
  removeKnob,
  setNumber,
  setNumbers,
} from '#lib/studio/document/commands/knobs.ts'
import { type Knob, MAX_KNOB_NAME, targetKey, thrown, turned } from '#lib/studio/document/knob.ts'
import { type ConnectorEntry, tabKey } from '#lib/studio/document/types.ts'
import { type EntryKnob, knobsWithParts } from '#lib/studio/piece/presentation-of.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { NameField } from '../common/fields.tsx'
import { KnobRow, KnobSlider } from '../common/knob-slider.tsx'
import { useCurrentSession, useDocument, useSound } from '../common/session.tsx'
import { useKnobColor, usePaths } from '../common/use-knob-color.ts'
import { useMidi } from '../transport/use-transport.ts'

/**
 * The knobs of a connector and of those it is made of as sliders, with a dice that sets all of them by chance.
 *
 * @param entry The connector that runs.
 */
export function Knobs({ entry: root }: { entry: ConnectorEntry }) {
  const { document: store, announce } = useCurrentSession()
  const document = useDocument()
  const knobs = useMemo(() => knobsWithParts(document, root), [document, root])
  const colorOf = useKnobColor(usePaths(tabKey({ kind: 'entry', entryId: root.id })))
  useMidiKnobs(knobs)
  if (knobs.length === 0) return null
  const throwDice = () => {
    const values = knobs.map(({ entry, knob }) => ({
      ...{ entryId: entry.id, target: knob.target },
      text: String(thrown(knob, Math.random())),
    }))
    store.edit('Throw the dice', (document) => setNumbers(document, values))
    announce(values.map(({ text }, index) => `${knobs[index]?.knob.name} ${text}`).join(', '))
  }
  return (
    <KnobRow onDice={throwDice} className="border-line border-y py-2">
      {knobs.map(({ entry, knob }) => (
        <KnobOfEntry
          key={midiKey(entry.id, knob.target)}
          entry={entry}
          knob={knob}
          color={colorOf(entry, knob.target)}
        />
      ))}
    </KnobRow>
  )
}

function KnobOfEntry({ entry, knob, color }: EntryKnob & { color: string | undefined }) {
  const { document: store } = useCurrentSession()
  const { name, target, min, max } = knob
  const at = { entryId: entry.id, target }
  const read = readNumber(numberText(entry, target) ?? '', limitsOf(target))
  return (
    <KnobSlider
      name={name}
      value={read.ok ? read.value : undefined}
      min={min}
      max={max}
      color={color}
      onValue={(next, hold) => {
        const key = `knob/${entry.id}/${targetKey(target)}`
        store.edit(`Turn ${name}`, (document) => setNumber(document, at, String(next)), {
          merge: hold === undefined ? key : `${key}/${hold}`,
          hold: hold !== undefined,
        })
      }}
    >
      <KnobSettings entry={entry} knob={knob} />
    </KnobSlider>
  )
}

/** Name and range of a knob. */
function KnobSettings({ entry, knob }: { entry: ConnectorEntry; knob: Knob }) {
  const { document: store } = useCurrentSession()
  const { name, target } = knob
  const limits = limitsOf(target)
  const id = useId()
  const [range, setRange] = useState({ min: String(knob.min), max: String(knob.max) })
  const [min, max] = [readNumber(range.min, limits), readNumber(range.max, limits)]
  const isWrong = !min.ok || !max.ok || min.value >= max.value
  const put = (change: Partial<Knob>) =>
    store.edit('Change knob', (document) => putKnob(document, entry.id, { ...knob, ...change }), {
      merge: `knob-settings/${entry.id}/${targetKey(target)}`,
    })
  const setBound = (bound: 'min' | 'max') => (text: string) => {
    const next = { ...range, [bound]: text }
    setRange(next)
    const [least, most] = [readNumber(next.min, limits), readNumber(next.max, limits)]
    if (least.ok && most.ok && least.value < most.value) put({ min: least.value, max: most.value })
  }
  return (
    <Popover.Root onOpenChange={(open) => open && setRange({ min: String(knob.min), max: String(knob.max) })}>
      <Popover.Trigger
        aria-label={`Settings of ${name || 'the knob'}`}
        title="Name and range"
        className="grid size-8 cursor-pointer place-items-center rounded-md text-ink-soft hover:bg-sunk hover:text-ink touch:size-11"
      >
        <SlidersHorizontal className="size-3.5" aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="z-menu" sideOffset={4} align="end" collisionPadding={8}>
          <Popover.Popup
            aria-label={`Settings of ${name || 'the knob'}`}
            className="grid w-64 gap-3 rounded-lg border border-edge bg-raised p-3 text-sm shadow-lg outline-none"
          >
            <div className="grid gap-1">
              <label htmlFor={`${id}-name`}>Name</label>
              <NameField
                id={`${id}-name`}
                value={name}
                maxLength={MAX_KNOB_NAME}
                onText={(text) => put({ name: text })}
                className="w-full"
              />
            </div>
            <div className="flex items-end gap-2">
              <div className="grid gap-1">
                <label htmlFor={`${id}-min`}>From</label>
                <NumberField
                  look="small"
                  id={`${id}-min`}
                  value={range.min}
                  onText={setBound('min')}
                  wrong={isWrong}
                />
              </div>
              <div className="grid gap-1">
                <label htmlFor={`${id}-max`}>To</label>
                <NumberField
                  look="small"
                  id={`${id}-max`}
                  value={range.max}
                  onText={setBound('max')}
                  wrong={isWrong}
                />
              </div>
            </div>
            <p role="status" className={isWrong ? 'text-madder' : 'sr-only'}>
              {isWrong ? 'The range needs two whole numbers, the smaller one first.' : ''}
            </p>
            <MidiLearn id={midiKey(entry.id, target)} />
            <Button
              onClick={() =>
                store.edit('Remove knob', (document) => removeKnob(document, { entryId: entry.id, target }))
              }
            >
              Remove this knob
            </Button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** Takes the controller that moves next for a knob. */
function MidiLearn({ id }: { id: string }) {
  const { learned, sound } = useCurrentSession()
  const { learning, controllers } = useValue(learned)
  const { access } = useMidi()
  const isLearning = learning === id
  const toggle = () => {
    learned.setState({ ...learned.getState(), learning: isLearning ? undefined : id })
    if (!isLearning) void sound.midi.open()
  }
  const controller = controllers.get(id)
  return (
    <div className="grid gap-1">
      <Button aria-pressed={isLearning} onClick={toggle}>
        {isLearning ? 'Stop waiting' : 'Learn from MIDI'}
      </Button>
      <p role="status" className="text-ink-soft text-xs">
        {isLearning
          ? MIDI_WORDS[access]
          : controller === undefined
            ? ''
            : `Turned by controller ${controller}.`}
      </p>
    </div>
  )
}

const MIDI_WORDS = {
  absent: 'This browser has no MIDI. Chrome, Edge and Firefox have it.',
  closed: 'Asking for your MIDI devices…',
  opening: 'Asking for your MIDI devices…',
  open: 'Move a controller, and it turns this knob.',
  refused: 'The browser may not use MIDI here. Allow it in the settings of this page.',
} as const

/** Names a knob among those of all connectors. */
function midiKey(entryId: string, target: Parameters<typeof targetKey>[0]): string {
  return `${entryId}/${targetKey(target)}`
}

/** Lets MIDI controllers turn knobs. */
function useMidiKnobs(knobs: readonly EntryKnob[]): void {
  const { document: store, learned } = useCurrentSession()
  const { midi } = useSound()
  useEffect(
    () =>
      midi.onControl((controller, control) => {
        const { learning, controllers } = learned.getState()
        const own = new Map(knobs.map((each) => [midiKey(each.entry.id, each.knob.target), each]))
        if (learning !== undefined && own.has(learning)) {
          const others = [...controllers].filter(([, known]) => known !== controller)
          learned.setState({ learning: undefined, controllers: new Map([...others, [learning, controller]]) })
        }
        for (const [key, known] of learned.getState().controllers) {
          const turns = known === controller ? own.get(key) : undefined
          if (turns === undefined) continue
          const { entry, knob } = turns
          const text = String(turned(knob, control))
          store.edit(
            `Turn ${knob.name}`,
            (document) => setNumber(document, { entryId: entry.id, target: knob.target }, text),
            { merge: `midi/${key}` },
          )
        }
      }),
    [store, learned, midi, knobs],
  )
}
