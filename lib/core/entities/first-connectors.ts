import { and, eq, inArray, sql } from 'drizzle-orm'
import { artifacts, entities } from '#lib/platform/db/schema/index.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { type FirstShown, firstShown, visible } from './first-shown.ts'

/** Connectors of each list. */
const NAMED = 24

export interface OverviewConnector {
  readonly name: string
  readonly owner: Address
  readonly contentHash: Hash
  readonly because: FirstShown['because']
  /** Undefined while the connector's artifact has not been verified. */
  readonly shape:
    | {
        /** Streams of a run, one for each final scalar. */
        readonly paths: number
        /** Empty when there is no condition. */
        readonly conditionName: string
      }
    | undefined
}

type Store = Parameters<typeof firstShown>[0]

/** The connectors that `firstShown` puts first, with their sizes. */
export async function firstConnectors(ctx: Store): Promise<OverviewConnector[]> {
  const first = await firstShown(ctx, { kind: 'connector', limit: NAMED })
  const rows = await connectorRows(
    ctx,
    first.map(({ name }) => name),
  )
  const byName = new Map(rows.map((row) => [row.name, row]))
  return first.flatMap(({ name, because }) => {
    const row = byName.get(name)
    return row === undefined ? [] : [overviewConnector(row, because)]
  })
}

/**
 * The connectors that were published first. Later publications do not change the list, so that publishing does not put
 * a connector onto the home page.
 */
export async function earliestConnectors({ db }: Store): Promise<readonly OverviewConnector[]> {
  const names = await db.sql<{ name: string }[]>`
    select name from entities e where kind = 'connector' and ${visible(db.sql)}
    order by block_number, tx_index, log_index limit ${NAMED}`
  const order = new Map(names.map(({ name }, index) => [name, index]))
  const rows = await connectorRows({ db }, [...order.keys()])
  return rows
    .toSorted((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0))
    .map((row) => overviewConnector(row, 'new'))
}

/** Reads sizes inside the database: the definition of one connector can be large, and is not needed. */
function connectorRows(ctx: Store, names: readonly string[]) {
  return ctx.db.orm
    .select({
      name: entities.name,
      owner: entities.owner,
      contentHash: entities.contentHash,
      paths: sql<number | null>`(${artifacts.body} ->> 'leafCount')::int`,
      conditionName: sql<string | null>`${artifacts.body} -> 'definition' ->> 'conditionName'`,
    })
    .from(entities)
    .leftJoin(artifacts, eq(artifacts.contentHash, entities.artifactHash))
    .where(and(eq(entities.kind, 'connector'), inArray(entities.name, [...names])))
}

function overviewConnector(
  row: Awaited<ReturnType<typeof connectorRows>>[number],
  because: FirstShown['because'],
): OverviewConnector {
  return {
    name: row.name,
    owner: row.owner as Address,
    contentHash: row.contentHash as Hash,
    because,
    shape:
      row.paths === null
        ? undefined
        : {
            paths: row.paths,
            conditionName: row.conditionName ?? '',
          },
  }
}
