'use client'

import { useEffect, useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import type { Explanation, GoodRun, Stream } from '#lib/studio/runs/run.ts'
import { describePlace, stopSentence } from '#lib/studio/runs/run-stop.ts'
import type { ExplainState, Particle } from '#lib/studio/runs/runs.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Select } from '#lib/ui/kit/select.tsx'
import type { Pictures } from './use-pictures.ts'

type Dimension = Explanation['dimensions'][number]
type Source = Explanation['start']['source']

const SOURCES: Record<Source, string> = {
  caller: 'set for this run',
  connector: 'fixed by the piece itself',
  executed: 'fixed by the piece that runs',
  entrance: 'fixed where the piece that it plays begins',
  default: 'not set',
}

/** Why the chosen particle is what it is, on demand. */
export function Reason({
  run,
  stream: { path, data },
  pictures,
  explanation,
  onExplain,
}: {
  run: GoodRun
  stream: Stream
  pictures: Pictures
  explanation: ExplainState
  onExplain: (particle: Particle | undefined) => void
}) {
  const [asking, setAsking] = useState(false)
  const { step, explained, chosen, setChosen, setStep } = pictures
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run has other reasons
  useEffect(() => {
    if (!asking) return
    onExplain({ path, step: explained })
    return () => onExplain(undefined)
  }, [asking, path, explained, run, onExplain])
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          look="small"
          options={run.streams.map(({ path: each }, index) => [index, each] as const)}
          onValue={setChosen}
          aria-label="Voice"
          value={chosen}
          className="mono"
        />
        <Button
          aria-expanded={asking}
          onClick={() => {
            setStep(step)
            setAsking(!asking)
          }}
        >
          Why is this {formatInteger(data[asking ? explained : step] ?? 0)}?
        </Button>
      </div>
      {asking ? (
        <div className="mt-3 rounded-md border border-line bg-raised p-4 text-sm">
          <Why particle={{ path, step: explained }} explanation={explanation} />
        </div>
      ) : null}
    </div>
  )
}

/** The chain of values that made one particle, as far as the answer to the newest question is here. */
function Why({ particle, explanation }: { particle: Particle; explanation: ExplainState }) {
  const { answer, phase, message } = explanation
  const belongs =
    answer !== undefined && answer.question.path === particle.path && answer.question.step === particle.step
  if (phase === 'failed') return <p role="status">No explanation: {message}.</p>
  if (!belongs || phase !== 'done') {
    return (
      <p role="status" className="min-h-40 text-ink-soft">
        Following the values…
      </p>
    )
  }
  const result = answer.answer
  switch (result.outcome) {
    case 'explained':
      return <Chain explanation={result} step={particle.step} />
    case 'rejected':
      return (
        <p role="status">
          {result.place ? describePlace(result.place) : ''} {stopSentence(result)}
        </p>
      )
    case 'invalid':
      return <p role="status">{result.problems.map(({ message: text }) => text).join('. ')}</p>
    case 'no_such_path':
      return <p role="status">The piece has no such voice any more.</p>
  }
}

function Chain({ explanation, step }: { explanation: Explanation; step: number }) {
  const { start, index, dimensions, value } = explanation
  return (
    <div className="space-y-3">
      <p>
        Step <Value>{step}</Value> of the run
        {start.index === 0 ? null : (
          <>
            {' '}
            + start <Value>{start.index}</Value> ({SOURCES[start.source]})
          </>
        )}{' '}
        asks the first voice for its number <Value>{index}</Value>.
      </p>
      <ol className="space-y-3">
        {dimensions.map((dimension) => (
          <Link key={dimension.path} dimension={dimension} />
        ))}
      </ol>
      <p className="font-medium">
        So the number is <Value>{value}</Value>.
      </p>
    </div>
  )
}

function Link({ dimension }: { dimension: Dimension }) {
  const { connector, running_instance: instance, index, steps, value, leads_to: leadsTo } = dimension
  const skipped = index - steps.length
  return (
    <li className="border-line border-l-2 pl-3">
      <p>
        <span className="mono font-medium [overflow-wrap:anywhere]">
          {connector}:{dimension.dimension}
        </span>{' '}
        starts at <Value>{instance.start_point}</Value>
        {instance.transformation_shift === 0 ? null : (
          <>
            , skips <Value>{instance.transformation_shift}</Value> of its steps at first
          </>
        )}{' '}
        <span className="text-ink-soft text-sm">({SOURCES[instance.source]})</span>
        {steps.length === 0
          ? index === 0
            ? '; number 0 is the start itself.'
            : ', and has no steps: it stays there.'
          : ` and changes ${counted(index, 'time')}:`}
      </p>
      {steps.length === 0 ? null : (
        <ol className="mono mt-1 flex flex-wrap items-baseline gap-x-2 gap-y-1 text-xs" aria-label="Steps">
          {skipped > 0 ? <li className="text-ink-soft">… {counted(skipped, 'step')} before, then</li> : null}
          <li>{formatInteger(steps[0]!.before)}</li>
          {steps.map(({ number, transformation, args, after }) => (
            <li key={number} className="whitespace-nowrap">
              <span className="text-ink-soft">
                → {transformation}({args.join(', ')}) =
              </span>{' '}
              {formatInteger(after)}
            </li>
          ))}
        </ol>
      )}
      <p className="mt-1">
        Its value <Value>{value}</Value>
        {leadsTo === '' ? ' is what is heard.' : ` chooses the step of ${leadsTo}.`}
      </p>
    </li>
  )
}

function Value({ children }: { children: number }) {
  return <span className="mono font-medium">{formatInteger(children)}</span>
}
