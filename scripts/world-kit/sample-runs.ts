import { readFileSync } from 'node:fs'

/** What a connector of the example network generates. */
interface SampleRun {
  readonly connector: string
  readonly streams: readonly { readonly path: string; readonly data: readonly number[] }[]
}

/** Runs of 64 steps that `npm start` publishes the connectors of, recorded, so that a preview needs no network. */
export function sampleRuns(): readonly SampleRun[] {
  return JSON.parse(readFileSync(new URL('./sample-runs.json', import.meta.url), 'utf8'))
}
