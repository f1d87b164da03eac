import { bindSlot, setComposite } from '../../document/commands/connector.ts'
import type { DraftCall } from '../../document/types.ts'
import type { Holds, Lesson, Pieces, Snapshot } from '../lesson.ts'
import {
  appliesExactly,
  argumentField,
  call,
  code,
  connector,
  dimension,
  isInFront,
  labelled,
  withCall,
} from './build.ts'

/** Semitones of a major scale, one step after the other. */
const MAJOR = [2, 2, 1, 2, 2, 2, 1]

/** What a dimension that leads to a connector selects there, and what filling a slot does. */
export const selection: Lesson = {
  setUp: (naming) => {
    const plus = naming('plus')
    const steps = MAJOR.map((step): DraftCall => call(plus, step))
    return [
      { role: 'tune', entry: connector(naming('tune'), [dimension([call(plus, 2)])]) },
      {
        role: 'scale',
        entry: connector(naming('scale'), [dimension(steps)], {
          staticRi: [{ position: 1, startPoint: '60', transformationShift: '0' }],
        }),
      },
      {
        role: 'pair',
        entry: connector(naming('pair'), [dimension([call(plus, 1)]), dimension([call(plus, 10)])]),
      },
      { role: 'plus', entry: code('transformation', plus, 'return x + args[0];') },
    ]
  },
  steps: (name) => [
    {
      title: 'Something to choose from',
      text: [
        `Open \`${name('scale')}\` from the list. It climbs a major scale from 60, the middle C of a piano: number 0 of it is 60, number 1 is 62, number 2 is 64, and so on.`,
      ],
      target: { within: 'scale', control: { css: '[role=treegrid]' } },
      holds: (snapshot) => isInFront(snapshot, 'scale'),
      expects: { of: 'particles', role: 'scale', values: [[60, 62, 64, 65, 67, 69, 71, 72]] },
    },
    {
      title: 'Lead to it',
      text: [
        `\`${name('tune')}\` counts by twos: 0, 2, 4, 6… Let its dimension lead to \`${name('scale')}\`.`,
        'Its numbers are then no longer the result. They say which numbers of the scale are taken: number 0, number 2, number 4…',
      ],
      target: labelled('Connector this dimension leads to', 'tune'),
      holds: (snapshot) => leadsTo(snapshot, 'scale'),
      expects: { of: 'particles', role: 'tune', values: [[60, 64, 67, 71, 74, 77, 81, 84]] },
      doIt: (pieces) => lead(pieces, 'scale'),
    },
    {
      title: 'Choose otherwise',
      text: [
        `Let \`${name('tune')}\` count by fours: the same scale, and a wider leap each time. How it chooses is in one connector, and what it chooses from is in the other.`,
      ],
      target: argumentField(1, name('plus'), 'tune'),
      holds: (snapshot) =>
        both(appliesExactly(snapshot, 'tune', [[snapshot.name('plus'), 4]]), () =>
          leadsTo(snapshot, 'scale'),
        ),
      expects: { of: 'particles', role: 'tune', values: [[60, 67, 74, 81, 88, 95, 101, 108]] },
      doIt: (pieces) => withCall(pieces, 'tune', call(pieces.name('plus'), 4)),
    },
    {
      title: 'Lead to something wider',
      text: [
        `\`${name('pair')}\` has two dimensions that lead nowhere. Let \`${name('tune')}\` lead to it instead: two streams come out, and each offers a slot below.`,
      ],
      target: labelled('Connector this dimension leads to', 'tune'),
      holds: (snapshot) => leadsTo(snapshot, 'pair'),
      expects: {
        of: 'particles',
        role: 'tune',
        values: [
          [0, 4, 8, 12, 16, 20, 24, 28],
          [0, 40, 80, 120, 160, 200, 240, 280],
        ],
      },
      doIt: (pieces) => lead(pieces, 'pair'),
    },
    {
      title: 'Fill a slot',
      text: [
        `Put \`${name('scale')}\` into slot 0. The first stream of \`${name('pair')}\` now chooses from the scale, here only: \`${name('pair')}\` itself stays as it is for everybody else.`,
      ],
      target: labelled(`Connector that fills slot 0, ${name('pair')}:0`, 'tune'),
      holds: (snapshot) => {
        const filled = snapshot.connector('tune')?.dimensions[0]?.bindings ?? []
        const right =
          filled.length === 1 && filled[0]?.slot === 0 && filled[0].name === snapshot.name('scale')
        return both(
          leadsTo(snapshot, 'pair'),
          () => right || `Slot 0 alone should hold ${snapshot.name('scale')}.`,
        )
      },
      expects: {
        of: 'particles',
        role: 'tune',
        values: [
          [60, 67, 74, 81, 88, 95, 101, 108],
          [0, 40, 80, 120, 160, 200, 240, 280],
        ],
      },
      doIt: (pieces) => {
        const entry = pieces.connector('tune')
        const dimensionId = entry?.dimensions[0]?.id
        if (entry === undefined || dimensionId === undefined) return pieces.document
        const at = { entryId: entry.id, dimensionId }
        return bindSlot(pieces.document, { ...at, slot: 0, name: pieces.name('scale') })
      },
    },
  ],
  ending: [
    'A dimension that leads to a connector selects from it: its numbers are places in the other one’s streams.',
    'Slots let you swap single streams of what you lead to. With these two, connectors of others become parts of yours.',
  ],
}

function leadsTo(snapshot: Snapshot, role: string): Holds {
  const composite = snapshot.connector('tune')?.dimensions[0]?.composite
  return (
    composite === snapshot.name(role) ||
    `${snapshot.name('tune')} leads to ${composite || 'nothing'} at present.`
  )
}

function lead(pieces: Pieces, role: string) {
  const entry = pieces.connector('tune')
  const dimensionId = entry?.dimensions[0]?.id
  if (entry === undefined || dimensionId === undefined) return pieces.document
  return setComposite(pieces.document, { entryId: entry.id, dimensionId, name: pieces.name(role) })
}

function both(first: Holds, second: () => Holds): Holds {
  return first === true ? second() : first
}
