import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Context } from '#lib/core/context/context.ts'
import * as schema from '#lib/platform/db/schema/index.ts'
import { testConfig } from '../config.ts'

/** Cost of one statement to the database. */
export interface StatementCost {
  readonly text: string
  readonly nodes: readonly PlanNode[]
}

/** A step of a plan, with what it really did. */
export interface PlanNode {
  readonly type: string
  /** Table that a scan reads. */
  readonly table: string | undefined
  /** Rows it looked at, wanted or not, over all its turns. */
  readonly rows: number
}

export interface Watched {
  /** Runs a read and explains every statement that it sent. */
  costsOf(read: (ctx: Context) => Promise<unknown>): Promise<StatementCost[]>
  close(): Promise<void>
}

/** Opens a database so that the plans of reads can be seen. @param settings Under which they are explained. */
export function watch(url: string, settings: Readonly<Record<string, string>> = {}): Watched {
  let sent: { text: string; parameters: unknown[] }[] = []
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    debug: (_connection, text, parameters) => sent.push({ text, parameters }),
  })
  const explaining = postgres(url, { max: 1, onnotice: () => {}, connection: settings })
  const orm = drizzle(sql, { schema })
  // All that reads of lists use.
  const ctx = {
    db: { sql, orm, close: () => sql.end({ timeout: 1 }) },
    config: testConfig({ databaseUrl: url }),
    clock: () => new Date(),
  } as unknown as Context
  return {
    async costsOf(read) {
      // The driver queries types when it connects; that is no part of the read.
      await sql`select 1`
      sent = []
      await read(ctx)
      const statements = sent
      return explaining.begin(async (tx) => {
        const costs: StatementCost[] = []
        for (const { text, parameters } of statements) {
          if (!/^\s*(?:select|with)\b/i.test(text)) continue
          if (text.includes('set_config(')) {
            await tx.unsafe(text, parameters as never[])
            // Plans that a search rejects are shown as well.
            await tx`set local statement_timeout = 0`
          } else costs.push(await explained(tx, text, parameters))
        }
        return costs
      }) as Promise<StatementCost[]>
    },
    async close() {
      await Promise.all([sql.end({ timeout: 1 }), explaining.end({ timeout: 1 })])
    },
  }
}

interface RawPlan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Rows Removed by Join Filter'?: number
  readonly Plans?: readonly RawPlan[]
}

async function explained(
  tx: postgres.TransactionSql,
  text: string,
  parameters: readonly unknown[],
): Promise<StatementCost> {
  const [row] = await tx.unsafe<{ 'QUERY PLAN': { Plan: RawPlan }[] }[]>(
    `explain (analyze, format json) ${text}`,
    parameters as never[],
  )
  const nodes: PlanNode[] = []
  const visit = (plan: RawPlan): void => {
    const parts = plan.Plans ?? []
    const removed =
      (plan['Rows Removed by Filter'] ?? 0) +
      (plan['Rows Removed by Index Recheck'] ?? 0) +
      (plan['Rows Removed by Join Filter'] ?? 0)
    // A sort has read what came into it, however little of it is wanted.
    const taken = plan['Node Type'] === 'Sort' ? rowsOf(parts[0]) : 0
    nodes.push({
      type: plan['Node Type'],
      table: plan['Relation Name'],
      rows: Math.max((plan['Actual Rows'] + removed) * plan['Actual Loops'], taken),
    })
    for (const part of parts) visit(part)
  }
  visit(row!['QUERY PLAN'][0]!.Plan)
  return { text, nodes }
}

function rowsOf(plan: RawPlan | undefined): number {
  return plan === undefined ? 0 : plan['Actual Rows'] * plan['Actual Loops']
}
