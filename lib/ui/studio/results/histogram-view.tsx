'use client'

import { useMemo } from 'react'
import { counted, formatInteger } from '../../components/format.ts'
import { threadColor } from '../../components/thread-colors.ts'
import type { Stream } from '../preview/run.ts'
import { describeBin, describeHistogram, describePlot } from './descriptions.ts'
import { histogramOf, statisticsOf } from './statistics.ts'

const BINS = 48
const means = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** A histogram and statistics of one stream. */
export function HistogramView({ stream, index }: { stream: Stream; index: number }) {
  const { data, path } = stream
  const bins = useMemo(() => histogramOf(data, BINS), [data])
  const fullest = bins.reduce((most, { count }) => Math.max(most, count), 1)
  const statistics = statisticsOf(data)
  const first = bins[0]
  const last = bins.at(-1)
  return (
    <figure>
      <figcaption className="mono mb-2 text-sm [overflow-wrap:anywhere]">{path}</figcaption>
      <div
        role="img"
        aria-label={`${path}: ${describeHistogram(bins)}`}
        className="flex h-48 items-end gap-px border-edge border-b"
      >
        {bins.map((bin) => (
          <span
            key={bin.from}
            title={`${describeBin(bin)}: ${counted(bin.count, 'value')}`}
            className="flex h-full min-w-0 flex-1 items-end hover:bg-sunk"
          >
            <span
              className="w-full"
              style={{
                height: `${(bin.count / fullest) * 100}%`,
                // A bin that is not empty is always visible.
                minHeight: bin.count > 0 ? 2 : 0,
                background: threadColor(index),
              }}
            />
          </span>
        ))}
      </div>
      <p className="mono flex justify-between text-ink-soft text-xs">
        <span>{first ? formatInteger(first.from) : ''}</span>
        <span>{last && last !== first ? formatInteger(last.to) : ''}</span>
      </p>
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1 text-sm sm:grid-cols-4">
        {(
          [
            ['Min', formatInteger(statistics.min)],
            ['Max', formatInteger(statistics.max)],
            ['Mean', means.format(statistics.mean)],
            ['Different values', formatInteger(statistics.distinct)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt className="text-ink-soft text-xs">{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-ink-soft text-sm">{describePlot(statistics)}</p>
    </figure>
  )
}
