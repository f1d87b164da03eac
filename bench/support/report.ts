import { cpus } from 'node:os'
import { GOALS, type Goal, type GoalId } from '../goals.ts'

/** Extent of what is measured. */
export interface Options {
  /** Default number of particles of a run. */
  readonly particles: number
  /** Rounds that count, of each comparison. */
  readonly rounds: number
}

/** Findings of the sections, printed as it comes and once more as the table of the goals. */
export interface Report {
  /** Begins a part of the output. */
  heading(text: string): void
  line(text: string): void
  /** Columns, the first one left-aligned. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void
  /** Settles a figure of the goals. @param detail what was compared, with its absolute figures. */
  goal(id: GoalId, value: number, detail: string): void
  /** The goals that were measured, as a table in markdown. */
  summary(): string
}

export function createReport(print: (text: string) => void): Report {
  const found = new Map<GoalId, { readonly value: number; readonly detail: string }>()
  return {
    heading: (text) => print(`\n## ${text}\n`),
    line: (text) => print(text),
    table: (head, rows) => print(`${markdownTable(head, rows)}\n`),
    goal: (id, value, detail) => {
      found.set(id, { value, detail })
    },
    summary: () => {
      const rows = Object.entries(GOALS).flatMap(([id, goal]: [string, Goal]) => {
        const finding = found.get(id as GoalId)
        if (finding === undefined) return []
        const met = goal.atLeast === undefined ? finding.value <= goal.atMost : finding.value >= goal.atLeast
        return [[goal.figure, goal.goal, goal.show(finding.value), met ? 'met' : 'MISSED', finding.detail]]
      })
      return markdownTable(['figure', 'goal', 'measured', '', 'of what'], rows)
    },
  }
}

export function machine(): string {
  const processors = cpus()
  return `${processors.length} x ${processors[0]?.model.trim()}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = head.map((title, i) => {
    const cells = rows.map((row) => row[i] ?? '')
    return {
      width: Math.max(3, title.length, ...cells.map(({ length }) => length)),
      numbers: cells.every((cell) => /^(?:[≥≤\d]|–?$)/.test(cell)),
    }
  })
  const line = (cells: readonly string[]) => {
    const padded = columns.map(({ width, numbers }, i) =>
      numbers ? (cells[i] ?? '').padStart(width) : (cells[i] ?? '').padEnd(width),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = columns.map(({ width, numbers }) => '-'.repeat(width - 1) + (numbers ? ':' : '-'))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}
