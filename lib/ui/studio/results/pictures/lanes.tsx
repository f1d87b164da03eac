'use client'

import { type CSSProperties, memo } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { Press } from '#lib/ui/kit/button.tsx'
import { AXIS, EDGE, HEAD, heightOf, type Scene } from '#lib/ui/plots/scene.ts'
import type { StreamDifference } from '../compare.ts'
import { describeDifference, describePlot } from '../descriptions.ts'
import { statisticsOf } from '../statistics.ts'

/** Labels in and over the lanes of a picture: each path with its numbers, and the picture of it in words. */
export function Lanes({
  scene: { streams, ranges, chosen },
  step,
  differences,
  onChoose,
  dots,
}: {
  scene: Scene
  step: number
  differences: readonly StreamDifference[] | undefined
  onChoose: (index: number) => void
  /** Where the cursor is; undefined while it is out of sight. */
  dots: string | undefined
}) {
  return (
    <ol
      aria-label="Voices"
      className="pointer-events-none absolute inset-x-0 top-0 grid auto-rows-fr"
      style={{ bottom: AXIS }}
    >
      {streams.map((stream, index) => (
        <Lane
          key={stream.path}
          stream={stream}
          index={index}
          range={ranges[index]!}
          isChosen={index === chosen}
          step={step}
          difference={differences?.[index]}
          onChoose={onChoose}
          dots={dots}
        />
      ))}
    </ol>
  )
}

const Lane = memo(function Lane({
  stream: { path, data },
  index,
  range,
  isChosen,
  step,
  difference,
  onChoose,
  dots,
}: {
  stream: Stream
  index: number
  range: readonly [number, number]
  isChosen: boolean
  step: number
  difference: StreamDifference | undefined
  onChoose: (index: number) => void
  dots: string | undefined
}) {
  const statistics = statisticsOf(data)
  const value = data[step]
  return (
    <li className="relative min-h-0 min-w-0">
      <div role="img" aria-label={`${path}: ${describePlot(statistics)}`} className="absolute inset-0" />
      <div
        className={`absolute inset-x-0 top-0 flex items-center gap-2 px-1.5 text-xs ${isChosen ? 'shadow-[inset_3px_0_0_var(--thread)]' : ''}`}
        style={{ height: HEAD, '--thread': threadColor(index) } as CSSProperties}
      >
        <PathButton path={path} index={index} isChosen={isChosen} onChoose={onChoose} />
        {difference ? (
          <p className="min-w-0 truncate text-ink-soft">{describeDifference(difference)}</p>
        ) : null}
        <dl className="mono ml-auto flex shrink-0 items-baseline gap-2 rounded-sm bg-raised/80 px-1">
          <Figure name="min" value={formatInteger(statistics.min)} />
          <Figure name="max" value={formatInteger(statistics.max)} />
          <div className="min-w-[3ch] text-right">
            <dt className="sr-only">Value at the step</dt>
            <dd className="font-medium text-sm">{value === undefined ? '–' : formatInteger(value)}</dd>
          </div>
        </dl>
      </div>
      {dots === undefined || value === undefined ? null : (
        <Dot
          index={index}
          left={dots}
          top={`calc(${HEAD}px + (100% - ${HEAD + EDGE}px) * ${heightOf(value, range)})`}
        />
      )}
    </li>
  )
})

/** The value at the cursor, on its line. */
export function Dot({ index, left, top }: { index: number; left: string; top: string }) {
  return (
    <span
      aria-hidden="true"
      className="-translate-x-1/2 -translate-y-1/2 pointer-events-none absolute size-2.5 rounded-full border-2 bg-raised"
      style={{ left, top, borderColor: threadColor(index) }}
    />
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="@max-sm:hidden text-ink-soft">
      <dt className="inline">{name} </dt>
      <dd className="inline">{value}</dd>
    </div>
  )
}

/** The paths of a picture that all of them share, each with its colour and its value at the step. */
export function PathLegend({
  scene: { kind, streams, chosen },
  step,
  onChoose,
}: {
  scene: Scene
  step: number
  onChoose: (index: number) => void
}) {
  return (
    <ul aria-label="Voices" className="flex max-h-24 flex-wrap gap-x-4 overflow-y-auto text-xs">
      {streams.map(({ path, data }, index) => (
        <li key={path} className="flex min-h-8 min-w-0 items-center gap-1.5">
          {kind === 'heat' ? null : (
            <span
              aria-hidden="true"
              className="h-0.5 w-4 shrink-0"
              style={{ background: threadColor(index) }}
            />
          )}
          <PathButton path={path} index={index} isChosen={index === chosen} onChoose={onChoose} />
          <span className="mono text-ink-soft">{formatInteger(data[step] ?? 0)}</span>
        </li>
      ))}
    </ul>
  )
}

function PathButton({
  path,
  index,
  isChosen,
  onChoose,
}: {
  path: string
  index: number
  isChosen: boolean
  onChoose: (index: number) => void
}) {
  return (
    <Press
      aria-pressed={isChosen}
      title={path}
      onClick={() => onChoose(index)}
      className={`mono pointer-events-auto relative flex min-h-6 min-w-6 items-center rounded-sm bg-raised/80 px-1 text-left hover:text-accent touch:after:absolute touch:after:inset-x-0 touch:after:-inset-y-2.5 ${isChosen ? 'font-medium' : 'text-ink-soft'}`}
    >
      <span className="truncate">{path}</span>
    </Press>
  )
}
