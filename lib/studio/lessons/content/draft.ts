import { newNameProblem } from '#lib/protocol/names.ts'
import { freeName } from '../../document/clip.ts'
import { renameEverywhere, setSource } from '../../document/commands/entries.ts'
import { newId } from '../../document/types.ts'
import type { Lesson } from '../lesson.ts'
import {
  appliesExactly,
  argumentField,
  call,
  code,
  connector,
  dimension,
  labelled,
  withCall,
  withEntry,
} from './build.ts'

const BODY = 'return x + args[0];'

/** What a draft is: change, try, take back, and lose nothing. */
export const draft: Lesson = {
  setUp: (naming) => [
    { role: 'drift', entry: code('transformation', naming('drift'), 'return x + args[0]') },
    { role: 'sketch', entry: connector(naming('sketch'), [dimension([call(naming('drift'), 4)])]) },
  ],
  steps: (name) => [
    {
      title: 'Mend the mistake',
      text: [
        `The body of \`${name('drift')}\` lacks something. The compiler marks the line and says what, a moment after you stop typing.`,
        `Mend it: \`${BODY}\``,
      ],
      target: { within: 'drift', control: { css: '.cm-content' } },
      expects: { of: 'particles', role: 'sketch', values: [[0, 4, 8, 12, 16, 20, 24, 28]] },
      doIt: (pieces) =>
        withEntry(pieces, 'drift', (document, at) => setSource(document, { ...at, source: BODY })),
    },
    {
      title: 'Make a copy to try things on',
      text: [
        `Everything here is a draft: yours alone, and changed as often as you like. Open \`${name('sketch')}\`, then the menu at the top left, and choose Duplicate; the original stays as it is.`,
      ],
      target: { within: 'sketch', control: { css: '[data-workspaces]' } },
      adopts: {
        role: 'copy',
        kind: 'connector',
        make: () => connector(`${name('sketch')}_2`, [dimension([call(name('drift'), 4)])]),
      },
    },
    {
      title: 'Change the copy',
      text: [`In the copy, \`${name('copy')}\`, make the 4 a 9. The original still counts by fours.`],
      target: argumentField(1, name('drift'), 'copy'),
      holds: (snapshot) => {
        const kept = appliesExactly(snapshot, 'sketch', [[snapshot.name('drift'), 4]])
        if (kept !== true) return `The original should stay: ${kept}`
        return appliesExactly(snapshot, 'copy', [[snapshot.name('drift'), 9]])
      },
      expects: { of: 'particles', role: 'copy', values: [[0, 9, 18, 27, 36, 45, 54, 63]] },
      doIt: (pieces) => withCall(pieces, 'copy', call(pieces.name('drift'), 9)),
    },
    {
      title: 'Rename, and nothing breaks',
      text: [
        `Give \`${name('drift')}\` another name: whatever uses it in your work follows along. That goes on until it is published; then its name is fixed.`,
      ],
      target: labelled('Name of this transformation', 'drift'),
      holds: (snapshot) => {
        const drift = snapshot.code('drift')
        if (drift === undefined || /^drift_/.test(drift.name)) {
          return 'It still has its old name: try one that does not begin with drift.'
        }
        const used = snapshot.connector('sketch')?.dimensions[0]?.calls[0]?.name === drift.name
        return newNameProblem(drift.name) ?? (used || `${snapshot.name('sketch')} does not use it any more.`)
      },
      doIt: (pieces) =>
        withEntry(pieces, 'drift', (document, at) =>
          renameEverywhere(document, {
            ...at,
            name: freeName(
              document.entries,
              'transformation',
              pieces.name('drift').replace(/^drift/, 'glide'),
            ),
          }),
        ),
    },
    {
      title: 'Take it back',
      text: [
        'Every change can be undone, however long ago it was, and done again: by the buttons at the top, or by their keys.',
        'Undo until the function has its old name.',
      ],
      target: labelled('Undo'),
      holds: (snapshot) =>
        /^drift_/.test(snapshot.code('drift')?.name ?? '') ||
        `It is called ${snapshot.name('drift')} at present.`,
      doIt: (pieces) =>
        withEntry(pieces, 'drift', (document, at) =>
          renameEverywhere(document, { ...at, name: `drift_${newId().slice(0, 8)}` }),
        ),
    },
    {
      title: 'Reload the page',
      text: [
        'What you type is kept in this browser at once. At the top it says when it is saved.',
        'Reload the page, or close it and come back: everything is as you left it, this lesson too.',
      ],
      awaits: 'reload',
    },
  ],
  ending: [
    'A draft is free: nobody sees it, it costs nothing, and it can always be changed or taken back.',
    'Publishing makes it public and fixed. To change something that is published, open it and make a copy under another name.',
  ],
}
