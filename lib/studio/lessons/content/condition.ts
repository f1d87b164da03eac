import { setCondition } from '../../document/commands/connector.ts'
import { newCode, setSource } from '../../document/commands/entries.ts'
import { newId } from '../../document/types.ts'
import type { Holds, Lesson, Pieces, Snapshot } from '../lesson.ts'
import { argumentField, barButton, call, code, connector, dimension, labelled, withEntry } from './build.ts'

const BODY = 'return args[0] < args[1];'

/** A condition: written, set in the way, and satisfied. */
export const condition: Lesson = {
  setUp: (naming) => [
    { role: 'guarded', entry: connector(naming('guarded'), [dimension([call(naming('plus'), 3)])]) },
    { role: 'plus', entry: code('transformation', naming('plus'), 'return x + args[0];') },
  ],
  steps: (name, naming) => [
    {
      title: 'Make a condition',
      text: [
        'A condition is asked before a connector runs. It gets arguments of its own, and answers yes or no.',
        'Press the plus beside Conditions.',
      ],
      target: labelled('New condition'),
      adopts: { role: 'gate', kind: 'condition', make: () => newCode('condition', newId(), naming('gate')) },
    },
    {
      title: 'Write its body',
      text: [
        `Let it hold when the first argument is smaller than the second: \`${BODY}\``,
        'In the row below the body you can try it at once.',
      ],
      target: { within: 'gate', control: { css: '.cm-content' } },
      expects: {
        of: 'tries',
        role: 'gate',
        tries: [
          { x: 0, args: [2, 3], values: [1] },
          { x: 0, args: [5, 3], values: [0] },
          { x: 0, args: [3, 3], values: [0] },
        ],
      },
      doIt: (pieces) =>
        withEntry(pieces, 'gate', (document, at) => setSource(document, { ...at, source: BODY })),
    },
    {
      title: 'Set it in the way',
      text: [
        `Open \`${name('guarded')}\` and add a condition: by the button, or by pressing C. Take \`${name('gate')}\` with the arguments 5 and 3.`,
        '5 is not smaller than 3, so nothing runs: under Result it says why.',
      ],
      target: barButton('Condition', 'guarded'),
      holds: (snapshot) => guardedBy(snapshot, 5, 3),
      expects: { of: 'rejection', role: 'guarded', name: 'ConditionNotMet' },
      doIt: (pieces) => guard(pieces, 5, 3),
    },
    {
      title: 'Let it through',
      text: ['Make the 5 a 2. The condition holds, and the connector runs as if there were none.'],
      target: argumentField(1, name('gate'), 'guarded'),
      holds: (snapshot) => guardedBy(snapshot, 2, 3),
      expects: { of: 'particles', role: 'guarded', values: [[0, 3, 6, 9, 12, 15, 18, 21]] },
      doIt: (pieces) => guard(pieces, 2, 3),
    },
  ],
  ending: [
    'A condition guards every connector that carries it, also where others lead to it: if one of them does not hold, the whole run is refused.',
    'Its arguments are fixed when the connector is published. On chain a condition may also look at the block it runs in, so that a connector can open at a certain time.',
  ],
}

function guard(pieces: Pieces, ...args: readonly number[]) {
  return withEntry(pieces, 'guarded', (document, at) =>
    setCondition(document, { ...at, condition: { name: pieces.name('gate'), args: args.map(String) } }),
  )
}

function guardedBy(snapshot: Snapshot, ...args: readonly number[]): Holds {
  const found = snapshot.connector('guarded')?.condition
  if (!found) return `${snapshot.name('guarded')} has no condition yet.`
  if (found.name !== snapshot.name('gate')) return `Its condition should be ${snapshot.name('gate')}.`
  const have = found.args.map((each) => Number(each.trim() || Number.NaN))
  return (
    (have.length === args.length && args.every((arg, index) => arg === have[index])) ||
    `Its arguments should be ${args.join(' and ')}.`
  )
}
