import { removeRunningInstance, setRunningInstance } from '../../document/commands/connector.ts'
import type { Holds, Lesson, Pieces, Snapshot } from '../lesson.ts'
import { call, code, connector, dimension, labelled, withEntry } from './build.ts'

/** Running instances: start values and shifts, by position. */
export const startValue: Lesson = {
  setUp: (naming) => {
    const [plus, twice] = [naming('plus'), naming('twice')]
    return [
      { role: 'count', entry: connector(naming('count'), [dimension([call(plus, 3), call(twice)])]) },
      { role: 'plus', entry: code('transformation', plus, 'return x + args[0];') },
      { role: 'twice', entry: code('transformation', twice, 'return (x * 2) % 100;') },
    ]
  },
  steps: (name) => {
    const start = labelled('Start of voice 1', 'count')
    return [
      {
        title: 'Say where it starts',
        text: [
          `\`${name('count')}\` adds 3, then doubles and drops the hundreds, in turn. Without a start it begins at 0: 0, 3, 6, 9, 18…`,
          'Every voice begins with its start: the number behind “from”. Set it to 1.',
        ],
        target: start,
        holds: (snapshot) => instanceIs(snapshot, 1, '1', '0'),
        expects: { of: 'particles', role: 'count', values: [[1, 4, 8, 11, 22, 25, 50, 53]] },
        doIt: (pieces) => instance(pieces, 1, '1', '0'),
      },
      {
        title: 'Begin with the second function',
        text: [
          'The functions take turns. A voice that is chosen says how many of them it skips at first.',
          'Let it skip 1: now it doubles first.',
        ],
        target: labelled('Steps that voice 1 skips at first', 'count'),
        holds: (snapshot) => instanceIs(snapshot, 1, '1', '1'),
        expects: { of: 'particles', role: 'count', values: [[1, 2, 5, 10, 13, 26, 29, 58]] },
        doIt: (pieces) => instance(pieces, 1, '1', '1'),
      },
      {
        title: 'Come in later',
        text: [
          'The piece as a whole can begin later, too, at the same number of every voice.',
          'Below the voices, let it begin at number 2. The numbers are the same; the first two are passed over.',
        ],
        target: labelled('Where the piece begins', 'count'),
        holds: (snapshot) => both(instanceIs(snapshot, 0, '2', '0'), instanceIs(snapshot, 1, '1', '1')),
        expects: { of: 'particles', role: 'count', values: [[5, 10, 13, 26, 29, 58, 61, 22]] },
        doIt: (pieces) => instance(pieces, 0, '2', '0'),
      },
      {
        title: 'Leave it to others',
        text: [
          'What is set here is fixed for good once the piece is published. What is left empty may be chosen for each run anew.',
          'Empty the start of the voice and what it skips.',
        ],
        target: start,
        holds: (snapshot) =>
          both(
            instanceIs(snapshot, 0, '2', '0'),
            snapshot.connector('count')?.staticRi.every(({ position }) => position !== 1) ||
              'Something of the voice is still fixed.',
          ),
        expects: { of: 'particles', role: 'count', values: [[6, 9, 18, 21, 42, 45, 90, 93]] },
        doIt: (pieces) =>
          withEntry(pieces, 'count', (document, at) =>
            removeRunningInstance(document, { ...at, position: 1 }),
          ),
      },
    ]
  },
  ending: [
    'A start and what is skipped, for every voice: together they are called a running instance.',
    'The same piece gives other numbers from another start, so one piece serves many. Anybody may set what you left open when they run it.',
  ],
}

function instance(pieces: Pieces, position: number, startPoint: string, transformationShift: string) {
  return withEntry(pieces, 'count', (document, at) =>
    setRunningInstance(document, { ...at, position, startPoint, transformationShift }),
  )
}

/** Checks the start at a position of `count`, and says what is still missing. */
function instanceIs(snapshot: Snapshot, position: number, start: string, shift: string): Holds {
  const instance = snapshot.connector('count')?.staticRi.find((each) => each.position === position)
  const have = [instance?.startPoint ?? '', instance?.transformationShift ?? '']
  const same = (index: number, target: string) => Number(have[index]?.trim() || '0') === Number(target)
  if (instance !== undefined && same(0, start) && same(1, shift)) return true
  if (!same(0, start))
    return `The start of ${position === 0 ? 'the piece' : 'the voice'} is ${have[0] || 'empty'}; it should be ${start}.`
  if (!same(1, shift)) return `The voice skips ${have[1] || 'nothing'}; it should skip ${shift}.`
  return 'Nothing is set there yet.'
}

function both(first: Holds, second: Holds): Holds {
  return first === true ? second : first
}
