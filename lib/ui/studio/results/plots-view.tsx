'use client'

import { memo, useMemo } from 'react'
import { formatInteger } from '../../components/format.ts'
import { extentOf, valueRange } from '../../components/series.ts'
import { threadColor } from '../../components/thread-colors.ts'
import type { Stream } from '../preview/run.ts'
import type { StreamDifference } from './compare.ts'
import { describeDifference, describePlot } from './descriptions.ts'
import { statisticsOf } from './statistics.ts'
import { type Trace, Traces } from './traces.tsx'
import type { Window } from './window.ts'

/** What every picture of a run is drawn with. */
export interface ViewProps {
  readonly streams: readonly Stream[]
  /** Index of the chosen one in `streams`. */
  readonly chosen: number
  readonly onChoose: (index: number) => void
  readonly step: number
  readonly onStep: (step: number) => void
  readonly window: Window
  /** In the order of `streams`; undefined while nothing is pinned. */
  readonly differences: readonly StreamDifference[] | undefined
  /** One scale of values for all streams; undefined when each has its own. */
  readonly range: readonly [number, number] | undefined
}

/** Streams below each other, each on its own line, with the pinned one behind it. */
export function PlotsView({ streams, chosen, differences, ...rest }: ViewProps) {
  return (
    <ol aria-label="Paths">
      {streams.map((stream, index) => (
        <PlotRow
          key={stream.path}
          stream={stream}
          index={index}
          current={index === chosen}
          difference={differences?.[index]}
          {...rest}
        />
      ))}
    </ol>
  )
}

const PlotRow = memo(function PlotRow({
  stream,
  index,
  current,
  difference,
  onChoose,
  step,
  onStep,
  window,
  range,
}: Omit<ViewProps, 'streams' | 'chosen' | 'differences'> & {
  stream: Stream
  index: number
  current: boolean
  difference: StreamDifference | undefined
}) {
  const { data, path } = stream
  const pinned = difference?.before?.data
  const statistics = statisticsOf(data)
  const color = threadColor(index)
  const traces = useMemo(() => {
    const own = range ?? ownRange(window, pinned ? [data, pinned] : [data])
    const made: Trace[] = [{ data, color, range: own }]
    if (pinned) made.unshift({ data: pinned, color: 'var(--color-ink-soft)', dashed: true, range: own })
    return made
  }, [data, pinned, color, window, range])
  const value = data[step]
  const words = `${path}: ${describePlot(statistics)}`
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-line border-b border-l-2 py-2 pl-2 @2xl:grid-cols-[11rem_minmax(0,1fr)_7rem] @2xl:items-center ${current ? 'border-l-accent' : 'border-l-transparent'}`}
    >
      <div className="min-w-0">
        <button
          type="button"
          aria-pressed={current}
          onClick={() => onChoose(index)}
          className="min-h-8 cursor-pointer text-left hover:text-accent pointer-coarse:min-h-11"
        >
          <PathLabel path={path} />
        </button>
        {difference ? <p className="text-ink-soft text-xs">{describeDifference(difference)}</p> : null}
      </div>
      <Traces
        traces={traces}
        window={window}
        step={step}
        onStep={onStep}
        label={words}
        className="h-16 @max-2xl:order-3 @max-2xl:col-span-2"
      />
      <dl className="mono text-right text-xs @max-2xl:flex @max-2xl:items-baseline @max-2xl:gap-3">
        <div>
          <dt className="sr-only">Value at the step</dt>
          <dd className="font-medium text-sm">{value === undefined ? '–' : formatInteger(value)}</dd>
        </div>
        <div className="text-ink-soft">
          <dt className="inline">min </dt>
          <dd className="inline">{formatInteger(statistics.min)}</dd>
        </div>
        <div className="text-ink-soft">
          <dt className="inline">max </dt>
          <dd className="inline">{formatInteger(statistics.max)}</dd>
        </div>
      </dl>
    </li>
  )
})

/** All streams in one picture. */
export function OverlayView({
  streams,
  chosen,
  onChoose,
  step,
  onStep,
  window,
  differences,
  range,
}: ViewProps) {
  const traces = useMemo(() => {
    const made = streams.map(({ data }, index): Trace[] => {
      const pinned = differences?.[index]?.before?.data
      const own = range ?? ownRange(window, pinned ? [data, pinned] : [data])
      const color = threadColor(index)
      const now: Trace = { data, color, range: own }
      return pinned ? [{ data: pinned, color, dashed: true, range: own }, now] : [now]
    })
    // The chosen one lies on top.
    return [...made.toSpliced(chosen, 1), ...made.slice(chosen, chosen + 1)].flat()
  }, [streams, chosen, differences, range, window])
  return (
    <div>
      <Traces
        traces={traces}
        window={window}
        step={step}
        onStep={onStep}
        label={`${streams.length} paths in one picture. ${streams
          .slice(0, 8)
          .map(({ path, data }) => `${path}: ${describePlot(statisticsOf(data))}`)
          .join(' ')}`}
        className="h-72"
      />
      <ul aria-label="Paths" className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        {streams.map(({ path, data }, index) => (
          <li key={path} className="min-w-0">
            <button
              type="button"
              aria-pressed={index === chosen}
              onClick={() => onChoose(index)}
              className="mono flex min-h-8 cursor-pointer items-center gap-2 text-left text-xs [overflow-wrap:anywhere] hover:text-accent aria-pressed:underline aria-pressed:decoration-2 aria-pressed:decoration-accent aria-pressed:underline-offset-4 pointer-coarse:min-h-11"
            >
              <span
                aria-hidden="true"
                className="h-0.5 w-5 shrink-0"
                style={{ background: threadColor(index) }}
              />
              {path} <span className="text-ink-soft">{formatInteger(data[step] ?? 0)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What of the streams is in sight, with a little air. */
function ownRange({ first, last }: Window, streams: readonly (readonly number[])[]): [number, number] {
  const extents = streams.map((data) => extentOf(data.slice(first, last + 1)))
  return valueRange({
    min: Math.min(...extents.map(({ min }) => min)),
    max: Math.max(...extents.map(({ max }) => max)),
  })
}

/** The last segment of a path is emphasised. */
export function PathLabel({ path }: { path: string }) {
  const cut = path.lastIndexOf('/')
  return (
    <span className="mono line-clamp-3 text-sm [overflow-wrap:anywhere]" title={path}>
      {cut > 0 ? <span className="block text-ink-soft text-xs">{path.slice(0, cut)}</span> : null}
      <span className="font-medium">{path.slice(Math.max(0, cut))}</span>
    </span>
  )
}
