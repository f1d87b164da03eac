import type { EngineReport } from '../simulator/pool.ts'
import type { Reading } from './reading.ts'

/** How simulations are made: where, and what became of the transformations in them. */
export const readEngine = (reading: Reading, report: EngineReport | undefined): void => {
  if (report === undefined) return
  reading.total(
    'weft_engine_runs_total',
    'Simulations by where they were made: on a thread, or at once where they were asked for',
    Object.entries(report.runs).map(([where, value]) => ({ labels: { where }, value })),
  )
  reading.total(
    'weft_engine_steps_total',
    'Transformations with arguments, as each was met first: how they run, or why not faster. Wrong must stay zero',
    Object.entries(report.steps).map(([outcome, value]) => ({ labels: { outcome }, value })),
  )
}
