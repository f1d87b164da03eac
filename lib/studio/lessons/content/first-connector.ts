import { newNameProblem } from '#lib/protocol/names.ts'
import { newCode, newConnector, renameEntry, setSource } from '../../document/commands/entries.ts'
import { newId } from '../../document/types.ts'
import type { Holds, Lesson, Pieces, Role, Snapshot } from '../lesson.ts'
import {
  appliesExactly,
  argumentField,
  barButton,
  call,
  code,
  connector,
  dimension,
  labelled,
  withCall,
  withEntry,
} from './build.ts'

const BODY = 'return (x + args[0]) % 12;'

/** From nothing to a connector of one's own. */
export const firstConnector: Lesson = {
  setUp: (naming) => [
    {
      role: 'tune',
      entry: connector(naming('tune'), [
        dimension([2, 3, 1, 11].map((by) => call(naming('turn'), by))),
        dimension([0, 0, 0, 4].map((by) => call(naming('turn'), by))),
      ]),
    },
    { role: 'turn', entry: code('transformation', naming('turn'), 'return (x + args[0]) % 15;') },
  ],
  steps: (name, naming) => [
    {
      title: 'Hear one',
      text: [
        `This is \`${name('tune')}\`, a piece: two streams of numbers side by side, which sound as two voices. Press Play at the bottom.`,
        'It plays until you press Stop, whatever you do meanwhile. Change one of its numbers, and hear what becomes of it.',
      ],
      target: { within: 'tune', control: { button: 'Play' } },
      awaits: 'sound',
    },
    {
      title: 'Make a piece',
      text: [
        'Now one of your own. Each of its streams is a voice: small functions take turns, and each turns the last number into the next.',
        'Press the plus beside Pieces.',
      ],
      target: labelled('New piece'),
      adopts: {
        role: 'melody',
        kind: 'connector',
        make: () => newConnector(newId(), 'my_piece', newId()),
      },
    },
    {
      title: 'Give it a name',
      text: [
        'Once something is published, its name belongs to its publisher, for good. So it needs one that nobody has.',
        `Call it \`${naming('melody')}\`, or whatever you like.`,
      ],
      target: labelled('Name of this piece', 'melody'),
      holds: (snapshot) => hasOwnName(snapshot, 'melody', /^my_piece/),
      doIt: (pieces) => renamed(pieces, 'melody', naming('melody')),
    },
    {
      title: 'Make a function',
      text: [
        'Anybody can use yours once it is published, and you can use everybody else’s.',
        'This time make one of your own: press the plus beside Functions.',
      ],
      target: labelled('New function'),
      adopts: {
        role: 'climb',
        kind: 'transformation',
        make: () => newCode('transformation', newId(), 'my_step'),
      },
    },
    {
      title: 'Name the function, too',
      text: [
        `Call it \`${naming('climb')}\`: it will climb around a circle.`,
        'Below is its body, a line of Solidity. It gets the last number as `x`.',
      ],
      target: labelled('Name of this function', 'climb'),
      holds: (snapshot) => hasOwnName(snapshot, 'climb', /^my_step/),
      doIt: (pieces) => renamed(pieces, 'climb', naming('climb')),
    },
    {
      title: 'Write its body',
      text: [
        '`args[0]` is a number that is chosen wherever the function is used. Let it climb by that much, around a circle of twelve places.',
        `Replace the body by \`${BODY}\``,
      ],
      target: { within: 'climb', control: { css: '.cm-content' } },
      expects: {
        of: 'tries',
        role: 'climb',
        tries: [{ x: 0, args: [5], values: [5, 10, 3, 8] }],
      },
      doIt: (pieces) =>
        withEntry(pieces, 'climb', (document, at) => setSource(document, { ...at, source: BODY })),
    },
    {
      title: 'Put it into the piece',
      text: [
        `Go back to \`${name('melody')}\`, choose its voice, and add a step: by the button, or by pressing A.`,
        `Take \`${name('climb')}\`, and give it 5 as its number.`,
      ],
      target: barButton('Step', 'melody'),
      holds: (snapshot) => appliesExactly(snapshot, 'melody', [[snapshot.name('climb'), 5]]),
      expects: { of: 'particles', role: 'melody', values: [[0, 5, 10, 3, 8, 1, 6, 11]] },
      doIt: (pieces) => withCall(pieces, 'melody', call(pieces.name('climb'), 5)),
    },
    {
      title: 'Change a number and watch',
      text: [
        'Under Result you see what it makes: the numbers of this voice, one after the other, always the same for everybody.',
        'Make the 5 a 7. The picture follows as you type.',
      ],
      target: argumentField(1, name('climb'), 'melody'),
      holds: (snapshot) => appliesExactly(snapshot, 'melody', [[snapshot.name('climb'), 7]]),
      expects: { of: 'particles', role: 'melody', values: [[0, 7, 2, 9, 4, 11, 6, 1]] },
      doIt: (pieces) => withCall(pieces, 'melody', call(pieces.name('climb'), 7)),
    },
  ],
  ending: [
    'You wrote a function, used it in a piece, and looked at its numbers. Nobody else sees it until you publish it.',
    'Everything else in the studio is more of the same: more voices, more functions, and voices that play other pieces.',
  ],
}

function renamed(pieces: Pieces, role: Role, name: string) {
  return withEntry(pieces, role, (document, at) => renameEntry(document, { ...at, name }))
}

function hasOwnName(snapshot: Snapshot, role: Role, first: RegExp): Holds {
  const entry = snapshot.entry(role)
  if (entry === undefined || first.test(entry.name)) return 'It still has the name it began with.'
  const invalid = newNameProblem(entry.name)
  if (invalid !== undefined) return invalid
  const problem = snapshot.problems.find(
    ({ at, field }) => at.kind === 'entry' && at.entryId === entry.id && field?.name === 'name',
  )
  return problem === undefined || problem.sentence
}
