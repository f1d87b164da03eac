import { Counter, Gauge, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>

/** One value; unknown values are omitted, so that no stale value is exported. */
export interface Sample {
  readonly value: number | null | undefined
  readonly labels?: Labels
}

/** Collects metrics for one scrape. */
export interface Reading {
  /** Adds a gauge. */
  gauge(name: string, help: string, samples: number | null | undefined | readonly Sample[]): void
  /** Adds a counter whose total is stored elsewhere; its name ends in `_total`. */
  total(name: string, help: string, samples: number | null | undefined | readonly Sample[]): void
}

/** Creates a reading, and the registry that renders it. */
export function openReading(): { readonly reading: Reading; readonly registry: Registry } {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    reading: {
      gauge: (name, help, samples) => {
        const points = knownSamples(samples)
        if (points.length === 0) return
        const gauge = new Gauge({ name, help, labelNames: labelNames(points), registers })
        for (const { labels, value } of points) gauge.set(labels, value)
      },
      total: (name, help, samples) => {
        const points = knownSamples(samples)
        if (points.length === 0) return
        const counter = new Counter({ name, help, labelNames: labelNames(points), registers })
        for (const { labels, value } of points) counter.inc(labels, value)
      },
    },
  }
}

interface KnownSample {
  readonly value: number
  readonly labels: Labels
}

function knownSamples(samples: number | null | undefined | readonly Sample[]): KnownSample[] {
  const list = typeof samples === 'object' && samples !== null ? samples : [{ value: samples }]
  return list.flatMap(({ value, labels }: Sample) =>
    value === null || value === undefined ? [] : [{ value, labels: labels ?? {} }],
  )
}

function labelNames(samples: readonly KnownSample[]): string[] {
  return Object.keys(samples[0]?.labels ?? {})
}
