import { Counter, Gauge, Registry } from '@prometheus-io/client'

type Labels = Readonly<Record<string, string>>

/** One value; a value that is not known is left out, so that nothing stale is ever told. */
export interface Sample {
  readonly value: number | null | undefined
  readonly labels?: Labels
}

/** Metrics read for one answer and thrown away with it. */
export interface Reading {
  /** A value that goes up and down. */
  gauge(name: string, help: string, samples: number | null | undefined | readonly Sample[]): void
  /** A total kept elsewhere that only goes up; its name ends in `_total`. */
  total(name: string, help: string, samples: number | null | undefined | readonly Sample[]): void
}

/** A fresh reading, and the registry that renders it. */
export const openReading = (): { readonly reading: Reading; readonly registry: Registry } => {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    reading: {
      gauge: (name, help, samples) => {
        const known = knownSamples(samples)
        if (known.length === 0) return
        const gauge = new Gauge({ name, help, labelNames: labelNames(known), registers })
        for (const { labels, value } of known) gauge.set(labels, value)
      },
      total: (name, help, samples) => {
        const known = knownSamples(samples)
        if (known.length === 0) return
        const counter = new Counter({ name, help, labelNames: labelNames(known), registers })
        for (const { labels, value } of known) counter.inc(labels, value)
      },
    },
  }
}

interface KnownSample {
  readonly value: number
  readonly labels: Labels
}

const knownSamples = (samples: number | null | undefined | readonly Sample[]): KnownSample[] => {
  const list = typeof samples === 'object' && samples !== null ? samples : [{ value: samples }]
  return list.flatMap(({ value, labels }: Sample) =>
    value === null || value === undefined ? [] : [{ value, labels: labels ?? {} }],
  )
}

const labelNames = (samples: readonly KnownSample[]): string[] => Object.keys(samples[0]?.labels ?? {})
