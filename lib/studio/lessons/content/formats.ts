import { addDimension, removeDimension, setComposite } from '../../document/commands/connector.ts'
import { newId } from '../../document/types.ts'
import type { Holds, Lesson, Snapshot } from '../lesson.ts'
import { barButton, call, code, connector, dimension, isInFront, labelled, withEntry } from './build.ts'

/** What a format is, and when two connectors share one. */
export const formats: Lesson = {
  setUp: (naming) => {
    const plus = naming('plus')
    return [
      {
        role: 'voice',
        entry: connector(naming('voice'), [dimension([call(plus, 1)]), dimension([call(plus, 5)])]),
      },
      { role: 'other', entry: connector(naming('other'), [dimension([call(plus, 3)])]) },
      { role: 'plus', entry: code('transformation', plus, 'return x + args[0];') },
    ]
  },
  steps: (name) => [
    {
      title: 'Two connectors, two formats',
      text: [
        `The format of a connector is the set of the streams it ends in: which connector each is declared in, and which dimension of it. \`${name('voice')}\` ends in its own two.`,
        `Open \`${name('other')}\`: it ends in its own one, so its format is another.`,
      ],
      target: { within: 'other', control: { css: '[role=treegrid]' } },
      holds: (snapshot) => isInFront(snapshot, 'other'),
      formatsOf: ['voice', 'other'],
    },
    {
      title: 'Lead to the same streams',
      text: [
        `Let the dimension of \`${name('other')}\` lead to \`${name('voice')}\`. It then ends in the same streams, and has the same format, whatever numbers it makes.`,
      ],
      target: labelled('Connector this dimension leads to', 'other'),
      holds: (snapshot) => sameFormat(snapshot, true),
      formatsOf: ['voice', 'other'],
      doIt: (pieces) => {
        const entry = pieces.connector('other')
        const dimensionId = entry?.dimensions[0]?.id
        if (entry === undefined || dimensionId === undefined) return pieces.document
        return setComposite(pieces.document, { entryId: entry.id, dimensionId, name: pieces.name('voice') })
      },
    },
    {
      title: 'Add a stream of its own',
      text: [
        `Add a dimension to \`${name('other')}\`. It now ends in one stream more, and nobody else’s format is like that.`,
      ],
      target: barButton('Dimension', 'other'),
      holds: (snapshot) => {
        if ((snapshot.connector('other')?.dimensions.length ?? 0) < 2) return 'It has one dimension so far.'
        return sameFormat(snapshot, false)
      },
      formatsOf: ['voice', 'other'],
      doIt: (pieces) =>
        withEntry(pieces, 'other', (document, at) => addDimension(document, { ...at, id: newId() })),
    },
    {
      title: 'And back',
      text: [
        'Choose Dimension 1 and remove it: in the menu of the line, or by the Delete key. Order does not matter to a format, nor how often a stream occurs: only which streams there are.',
      ],
      target: { within: 'other', control: { css: '[data-line-menu]' } },
      holds: (snapshot) => sameFormat(snapshot, true),
      formatsOf: ['voice', 'other'],
      doIt: (pieces) => {
        const entry = pieces.connector('other')
        return (entry?.dimensions.slice(1) ?? []).reduce(
          (document, { id: dimensionId }) => removeDimension(document, { entryId: entry!.id, dimensionId }),
          pieces.document,
        )
      },
    },
  ],
  ending: [
    'Connectors of one format can stand in for each other: whatever reads one can read the others.',
    'That is what Worlds go by. On its page, every published connector leads to its format, and from there to all others of the same.',
  ],
}

function sameFormat(snapshot: Snapshot, wanted: boolean): Holds {
  const labels = (role: string) => {
    const leaves = snapshot.leavesOf(role)
    return (
      leaves && [...new Set(leaves.map(({ connector: of, dimension: at }) => `${of}:${at}`))].sort().join()
    )
  }
  const [voice, other] = [labels('voice'), labels('other')]
  if (voice === undefined || other === undefined) return 'What it leads to is not known yet.'
  return (voice === other) === wanted || (wanted ? 'The formats differ.' : 'The formats are the same.')
}
