import type { Report } from './simulate.ts'

/** What went wrong in a run, with the last events before its end. */
export function explain({ seed, problems, trace, counts }: Report, again: string, events: number): string {
  return [
    `seed ${seed} went wrong; to see it again: ${again}`,
    ...problems.map((problem) => `  ✗ ${problem}`),
    `  ${JSON.stringify(counts)}`,
    `  the last of ${trace.length} events:`,
    ...trace.slice(-events).map((line) => `    ${line}`),
  ].join('\n')
}
