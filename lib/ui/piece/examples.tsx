import { counted, formatInteger } from '#lib/browser/format.ts'
import type { BodyExamples, ExampleLine } from '#lib/core/entities/body-examples.ts'
import { extentOf } from '#lib/engine/sound/extent.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { StillPlots } from '#lib/ui/plots/svg.tsx'

/** Values that a line names beside its plot. */
const NAMED = 8

/** Values of a body for a few numbers: the stage of its page. */
export function Examples({ name, examples }: { name: string; examples: BodyExamples }) {
  return examples.kind === 'condition' ? (
    <Answers name={name} examples={examples} />
  ) : (
    <Lines name={name} lines={examples.lines} />
  )
}

/** A line that spans less than the widest by this factor would be flat in its scale. */
const COMPARABLE = 12

/** Values that the widest line spans, for one scale of all; 0 where they are too far apart for one. */
export function commonSpan(lines: readonly Pick<ExampleLine, 'values'>[]): number {
  const spans = lines
    .map(({ values }) => extentOf(values))
    .map(({ min, max }) => max - min)
    .filter((span) => span > 0)
  const widest = Math.max(0, ...spans)
  return widest <= Math.min(...spans) * COMPARABLE ? widest : 0
}

function Lines({ name, lines }: { name: string; lines: readonly ExampleLine[] }) {
  const drawnLines = lines.filter(({ values }) => values.length > 0)
  return (
    <figure>
      {drawnLines.length === 0 ? null : (
        <div className="relative h-[clamp(12rem,38dvh,24rem)]">
          <StillPlots
            streams={drawnLines.map(({ values }, index) => ({ path: String(index), data: values }))}
            span={commonSpan(drawnLines)}
          />
        </div>
      )}
      <figcaption className="pt-3">
        <ol className="space-y-1">
          {drawnLines.map(({ x, args, values }, index) => (
            <li key={x} className="mono flex gap-2 text-xs">
              <span aria-hidden="true" style={{ color: threadColor(index) }}>
                ●
              </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {name}({['x', ...args.map(formatInteger)].join(', ')}) from {formatInteger(x)}:{' '}
                <span className="text-ink-soft">
                  {values.slice(0, NAMED).map(formatInteger).join(' → ')}
                  {values.length > NAMED ? ' …' : ''}
                </span>
              </span>
            </li>
          ))}
        </ol>
        <p className="max-w-prose pt-2 text-ink-soft text-sm">
          {drawnLines.length === 0
            ? 'It gives no value for the numbers that were tried here.'
            : 'Applied to its own result again and again, as a piece does. The numbers are examples; each piece chooses its own.'}
        </p>
      </figcaption>
    </figure>
  )
}

function Answers({
  name,
  examples: { rows, argsCount },
}: {
  name: string
  examples: Extract<BodyExamples, { kind: 'condition' }>
}) {
  const answers = rows.flat()
  const yes = answers.filter((answer) => answer === true).length
  const rest = argsCount > 2 ? '; all others are 1' : ''
  const refused = answers.includes(undefined) ? ', dashed is no answer' : ''
  const columns = rows[0]?.length ?? 1
  return (
    <figure>
      <div
        className="grid gap-1.5"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        role="img"
        aria-label={`${name} says yes to ${yes} of ${counted(answers.length, 'example')}`}
      >
        {rows.flatMap((row, down) =>
          row.map((answer, across) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
              key={`${down} ${across}`}
              title={`${name}(${[across, down, ...Array(Math.max(0, argsCount - 2)).fill(1)].slice(0, argsCount).join(', ')}): ${answer === undefined ? 'no answer' : answer ? 'yes' : 'no'}`}
              className={`h-12 rounded-sm border sm:h-16 ${answer === true ? 'border-verdigris bg-verdigris forced-colors:border-[Highlight] forced-colors:bg-[Highlight]' : answer === false ? 'border-edge' : 'border-line border-dashed'}`}
            />
          )),
        )}
      </div>
      <figcaption className="max-w-prose pt-3 text-ink-soft text-sm">
        {argsCount === 0
          ? `It takes no numbers and says ${answers[0] === undefined ? 'nothing' : answers[0] ? 'yes' : 'no'} now.`
          : `Filled is yes, empty is no${refused}. The first number counts across from 0${argsCount > 1 ? ', the second down' : ''}${rest}.`}
      </figcaption>
    </figure>
  )
}
