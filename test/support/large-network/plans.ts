import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Services } from '../../../lib/context.ts'
import * as schema from '../../../lib/db/schema/index.ts'
import { testConfig } from '../config.ts'

/** What reads of lists need of the services. */
export type ReadContext = Pick<Services, 'db' | 'config' | 'clock'>

/** What one statement cost the database. */
export interface StatementCost {
  readonly text: string
  /** Pages of tables and indexes that were looked at, 8 KiB each: hardly depends on the machine. */
  readonly pages: number
  readonly milliseconds: number
  readonly nodes: readonly PlanNode[]
}

/** A step of a plan, with what it really did. */
export interface PlanNode {
  readonly type: string
  /** Of scans. */
  readonly table: string | undefined
  /** Rows it looked at, wanted or not, over all its turns. */
  readonly rows: number
}

export interface Watched {
  readonly ctx: ReadContext
  /** Runs a read and explains every statement that it sent. */
  costsOf(read: (ctx: ReadContext) => Promise<unknown>): Promise<StatementCost[]>
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
  const ctx: ReadContext = {
    db: { sql, orm, close: () => sql.end({ timeout: 1 }) },
    config: testConfig({ databaseUrl: url }),
    clock: () => new Date(),
  }
  return {
    ctx,
    async costsOf(read) {
      // The driver asks for types when it connects; that is no part of the read.
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
            // What a search gives up is to be seen as well.
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
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly RawPlan[]
}

async function explained(
  tx: postgres.TransactionSql,
  text: string,
  parameters: readonly unknown[],
): Promise<StatementCost> {
  const [row] = await tx.unsafe<{ 'QUERY PLAN': { Plan: RawPlan; 'Execution Time': number }[] }[]>(
    `explain (analyze, buffers, format json) ${text}`,
    parameters as never[],
  )
  const { Plan, 'Execution Time': milliseconds } = row!['QUERY PLAN'][0]!
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
  visit(Plan)
  return { text, pages: Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'], milliseconds, nodes }
}

function rowsOf(plan: RawPlan | undefined): number {
  return plan === undefined ? 0 : plan['Actual Rows'] * plan['Actual Loops']
}
