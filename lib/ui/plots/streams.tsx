'use client'

import { memo, type PointerEvent, useMemo, useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { extentOf } from '#lib/engine/sound/extent.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { Slider } from '#lib/ui/kit/slider.tsx'
import type { Stream } from '#lib/views/run.ts'
import { valueRange } from './series.ts'
import { Plot } from './svg.tsx'

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 sm:grid-cols-[12rem_minmax(0,1fr)_6.5rem] sm:items-center'

/** The last segment identifies the scalar; the path before it is dimmed. */
function PathLabel({ path }: { path: string }) {
  const cut = path.lastIndexOf('/')
  return (
    <span className="mono line-clamp-3 text-sm [overflow-wrap:anywhere]" title={path}>
      {cut > 0 ? <span className="block text-ink-soft text-xs">{path.slice(0, cut)}</span> : null}
      <span className="font-medium">{path.slice(Math.max(0, cut))}</span>
    </span>
  )
}

const StreamRow = memo(function StreamRow({
  stream,
  index,
  step,
  onStep,
}: {
  stream: Stream | undefined
  index: number
  step: number
  onStep: (step: number) => void
}) {
  const data = stream?.data
  const extent = useMemo(() => extentOf(data ?? []), [data])
  const color = threadColor(index)
  const last = Math.max(1, (data?.length ?? 1) - 1)
  const value = data?.[Math.min(step, data.length - 1)]
  const [low, high] = valueRange(extent)

  const follow = (event: PointerEvent<HTMLDivElement>) => {
    if (!data) return
    const box = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))
    onStep(Math.round(share * (data.length - 1)))
  }

  return (
    <li className={`${ROW} min-h-36 border-line border-b py-3 sm:min-h-28`}>
      <div className="min-w-0">
        {stream ? <PathLabel path={stream.path} /> : <span className="text-ink-soft text-sm">…</span>}
        <p className="mt-1 text-ink-soft text-xs max-sm:hidden">
          {data ? counted(data.length, 'value') : ' '}
        </p>
      </div>
      <div
        className="relative h-20 cursor-crosshair max-sm:order-3 max-sm:col-span-2"
        onPointerMove={follow}
        onPointerDown={follow}
      >
        {data ? <Plot data={data} color={color} /> : null}
        {value === undefined ? null : (
          <span
            aria-hidden="true"
            className="scripted pointer-events-none absolute inset-y-0 w-px bg-edge"
            style={{ left: `${(Math.min(step, last) / last) * 100}%` }}
          >
            <span
              className="-translate-x-1/2 -translate-y-1/2 absolute left-1/2 size-3 rounded-full border-2 bg-raised"
              style={{ borderColor: color, top: `${(1 - (value - low) / (high - low)) * 100}%` }}
            />
          </span>
        )}
      </div>
      <dl className="mono text-right text-xs max-sm:flex max-sm:gap-3">
        <div className="scripted sm:mb-1">
          <dt className="sr-only">Value at the step</dt>
          <dd className="font-medium text-ink sm:text-lg">
            {value === undefined ? ' ' : formatInteger(value)}
          </dd>
        </div>
        <div className="text-ink-soft max-sm:order-first">
          <dt className="inline">min </dt>
          <dd className="inline">{data ? formatInteger(extent.min) : '–'}</dd>
        </div>
        <div className="text-ink-soft max-sm:order-first">
          <dt className="inline">max </dt>
          <dd className="inline">{data ? formatInteger(extent.max) : '–'}</dd>
        </div>
      </dl>
    </li>
  )
})

/**
 * Streams as small multiples over one axis of steps, with a slider that reads every value at one step.
 *
 * @param rows Rows to lay out, also while the streams for them are still on their way.
 */
export function Streams({
  streams,
  rows,
  count,
  busy,
}: {
  streams: readonly Stream[]
  rows: number
  count: number
  busy: boolean
}) {
  const [chosen, setStep] = useState(0)
  const step = Math.min(chosen, count - 1)
  return (
    <div aria-busy={busy}>
      <ol
        aria-label="Streams"
        className={`transition-opacity duration-200 ${busy ? 'opacity-40 delay-200' : 'opacity-100'}`}
      >
        {Array.from({ length: rows }, (_, index) => (
          <StreamRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is a place; streams move through it
            key={index}
            index={index}
            stream={streams[index]}
            step={step}
            onStep={setStep}
          />
        ))}
      </ol>
      <div className={`${ROW} scripted pt-2`}>
        <label htmlFor="step" className="text-ink-soft text-sm max-sm:order-1">
          Step
        </label>
        <Slider
          id="step"
          min={0}
          max={Math.max(0, count - 1)}
          value={step}
          onValue={setStep}
          className="w-full max-sm:order-3 max-sm:col-span-2"
        />
        <output htmlFor="step" className="mono text-right text-ink-soft text-xs max-sm:order-2">
          {formatInteger(step)} of {formatInteger(count - 1)}
        </output>
      </div>
    </div>
  )
}
