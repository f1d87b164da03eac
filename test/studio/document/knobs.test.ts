import { describe, expect, it } from 'vitest'
import { removeCall, setArguments } from '#lib/studio/document/commands/connector.ts'
import {
  knobAt,
  numberText,
  putKnob,
  removeKnob,
  setNumber,
  setNumbers,
} from '#lib/studio/document/commands/knobs.ts'
import { readFile } from '#lib/studio/document/file.ts'
import { guessedRange, type Knob, MAX_KNOBS, type NumberTarget, thrown } from '#lib/studio/document/knob.ts'
import { createStudioStore } from '#lib/studio/document/store.ts'
import { type ConnectorEntry, EMPTY_VIEW, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { entriesOf, TEMPLATES } from '#lib/studio/library/templates.ts'
import { connectorEntry, dimension, documentOf } from './entries.ts'

const argument: NumberTarget = { kind: 'call', callId: 'c', index: 1 }
const start: NumberTarget = { kind: 'start', position: 1 }
const tune = connectorEntry(
  'tune',
  'tune',
  [dimension('d', { calls: [{ id: 'c', name: 'cycle', args: ['3', '16'] }] })],
  { condition: { name: 'gate', args: ['-4'] } },
)
const speed: Knob = { name: 'speed', target: argument, min: 1, max: 64 }

function connectorOf(document: StudioDocument, index = 0): ConnectorEntry {
  return document.entries[index] as ConnectorEntry
}

describe('knobs', () => {
  const made = putKnob(documentOf(tune), 'tune', speed)

  it('are one a number, changed in place, and gone without a trace', () => {
    const twice = putKnob(putKnob(made, 'tune', { ...speed, name: 'pace' }), 'tune', {
      ...speed,
      target: start,
    })
    expect(connectorOf(twice).knobs?.map(({ name }) => name)).toEqual(['pace', 'speed'])
    expect(knobAt(connectorOf(twice), start)?.target).toEqual(start)
    const [none] = [argument, start].reduce(
      ([document], target) => [removeKnob(document!, { entryId: 'tune', target })],
      [twice],
    )
    expect(none).toEqual(documentOf(tune))
    expect(removeKnob(none!, { entryId: 'tune', target: start })).toBe(none)
  })

  it('go with the number they are of', () => {
    const at = { kind: 'call', entryId: 'tune', dimensionId: 'd', callId: 'c' } as const
    expect(connectorOf(setArguments(made, at, ['3'])).knobs).toBeUndefined()
    expect(connectorOf(removeCall(made, at)).knobs).toBeUndefined()
    expect(connectorOf(setNumber(made, { entryId: 'tune', target: argument }, '')).knobs).toEqual([speed])
  })

  it('of a file are refused where they make no sense, and dropped where their number is gone', () => {
    const opened = (knobs: unknown) =>
      readFile(
        JSON.stringify({
          weft: 'studio',
          version: 1,
          document: documentOf({ ...tune, knobs } as never),
          view: EMPTY_VIEW,
        }),
        newId,
      )
    expect(opened([{ ...speed, min: 9, max: 9 }]).ok).toBe(false)
    expect(opened([speed, speed]).ok).toBe(false)
    expect(
      opened(
        Array.from({ length: MAX_KNOBS + 1 }, (_, position) => ({
          ...speed,
          target: { kind: 'start', position },
        })),
      ).ok,
    ).toBe(false)
    expect(opened([{ ...speed, target: { ...argument, callId: 'gone' } }])).toMatchObject({
      document: documentOf(tune),
    })
  })

  it('are set together, in one step of undo, whatever kind of number they are of', () => {
    const store = createStudioStore({ document: documentOf(tune), view: EMPTY_VIEW })
    const targets: readonly NumberTarget[] = [
      argument,
      start,
      { kind: 'shift', position: 2 },
      { kind: 'condition', index: 0 },
    ]
    store.edit('Throw', (document) =>
      setNumbers(
        document,
        targets.map((target) => ({ entryId: 'tune', target, text: '7' })),
      ),
    )
    expect(targets.map((target) => numberText(connectorOf(store.getState().document), target))).toEqual([
      '7',
      '7',
      '7',
      '7',
    ])
    store.undo()
    expect(store.getState().document).toEqual(documentOf(tune))
  })

  it('of a template are three, of numbers that it has, inside their ranges', () => {
    for (const template of TEMPLATES) {
      const [entry] = entriesOf(template, newId)
      if (entry?.kind !== 'connector') throw new Error('A template begins with its connector')
      expect(entry.knobs).toHaveLength(3)
      for (const { target, min, max } of entry.knobs ?? []) {
        const value = Number(numberText(entry, target))
        expect([template.name, value >= min && value <= max]).toEqual([template.name, true])
      }
    }
  })

  it('begin with room for twice the number, and are thrown over all of their range', () => {
    const limits = { min: 0, max: 100 }
    expect([guessedRange(3, limits), guessedRange(30, limits), guessedRange(90, limits)]).toEqual([
      { min: 0, max: 8 },
      { min: 0, max: 60 },
      { min: 0, max: 100 },
    ])
    expect(guessedRange(-20, { min: -1000, max: 1000 })).toEqual({ min: -40, max: 40 })
    expect([0, 0.34, 0.67, 0.999].map((chance) => thrown({ min: 2, max: 4 }, chance))).toEqual([2, 3, 4, 4])
  })
})

describe('a drag', () => {
  it('is one step of undo after any pause, and another drag is another', () => {
    let now = 0
    const store = createStudioStore({ document: documentOf(tune), view: EMPTY_VIEW }, () => now)
    const drag = (text: string, id: number) =>
      store.edit(
        'Change argument',
        (document) => setNumber(document, { entryId: 'tune', target: argument }, text),
        {
          merge: `number/${id}`,
          hold: true,
        },
      )
    drag('17', 1)
    now += 60_000
    drag('18', 1)
    drag('19', 2)
    store.undo()
    expect(numberText(connectorOf(store.getState().document), argument)).toBe('18')
    store.undo()
    expect(store.getState().document).toEqual(documentOf(tune))
  })
})
