import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { accounts, artifacts, entities, formats, networkTotals } from '#lib/platform/db/schema/index.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { type FirstShown, firstShown, visible } from './first-shown.ts'

/** How much of each kind an overview names; everything is counted. */
const NAMED = 24

export interface OverviewConnector {
  readonly name: string
  readonly owner: Address
  readonly contentHash: Hash
  readonly formatHash: Hash | undefined
  readonly because: FirstShown['because']
  /** Undefined while the connector's artifact has not been verified. */
  readonly shape:
    | {
        readonly dimensions: number
        /** Streams of a run, one for each final scalar. */
        readonly paths: number
        /** Empty when there is no condition. */
        readonly conditionName: string
        readonly conditionArgs: readonly number[]
      }
    | undefined
}

export interface OverviewCode {
  readonly name: string
  readonly owner: Address
  /** Undefined while the artifact has not been verified. */
  readonly argsCount: number | undefined
}

interface OverviewFormat {
  readonly formatHash: Hash
  /** The first ones. */
  readonly scalars: readonly string[]
  readonly scalarsCount: number
  readonly connectors: number
}

interface OverviewAccount {
  readonly address: Address
  readonly published: number
}

export interface NetworkOverview {
  /** Of what is published. */
  readonly counts: {
    readonly connectors: number
    readonly transformations: number
    readonly conditions: number
    readonly formats: number
    readonly accounts: number
  }
  /** At most 24 of each kind, as `firstShown` orders them. */
  readonly connectors: readonly OverviewConnector[]
  readonly transformations: readonly OverviewCode[]
  readonly conditions: readonly OverviewCode[]
  /** Formats of the connectors above, most used first. */
  readonly formats: readonly OverviewFormat[]
  /** Owners of the entities above, most active first. */
  readonly accounts: readonly OverviewAccount[]
}

type Store = Parameters<typeof firstShown>[0]

/**
 * What the published network holds: how much of everything, and what is shown first of each kind. A fixed number of
 * indexed reads, whatever the size of the network.
 */
export async function networkOverview(ctx: Store): Promise<NetworkOverview> {
  const [counted, connectors, transformations, conditions] = await Promise.all([
    ctx.db.orm.select().from(networkTotals),
    firstConnectors(ctx),
    firstCode(ctx, 'transformation'),
    firstCode(ctx, 'condition'),
  ])
  const totals = new Map(counted.map((row) => [row.counted, row.total]))
  const formatHashes = [...new Set(connectors.flatMap((each) => each.formatHash ?? []))]
  const owners = [...new Set([...connectors, ...transformations, ...conditions].map((each) => each.owner))]
  const [theirFormats, theirAccounts] = await Promise.all([
    ctx.db.orm
      .select()
      .from(formats)
      .where(inArray(formats.formatHash, formatHashes))
      .orderBy(desc(formats.connectors), formats.formatHash),
    ctx.db.orm
      .select()
      .from(accounts)
      .where(inArray(accounts.address, owners))
      .orderBy(desc(accounts.published), accounts.address)
      .limit(NAMED),
  ])
  return {
    counts: {
      connectors: totals.get('connector') ?? 0,
      transformations: totals.get('transformation') ?? 0,
      conditions: totals.get('condition') ?? 0,
      formats: totals.get('format') ?? 0,
      accounts: totals.get('account') ?? 0,
    },
    connectors,
    transformations,
    conditions,
    formats: theirFormats.map(({ formatHash, scalars, scalarsCount, connectors: members }) => ({
      formatHash: formatHash as Hash,
      scalars,
      scalarsCount: scalarsCount ?? scalars.length,
      connectors: members,
    })),
    accounts: theirAccounts.map((row) => ({ ...row, address: row.address as Address })),
  }
}

async function firstConnectors(ctx: Store): Promise<OverviewConnector[]> {
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
      formatHash: entities.formatHash,
      paths: sql<number | null>`(${artifacts.body} ->> 'leafCount')::int`,
      dimensions: sql<number | null>`jsonb_array_length(${artifacts.body} -> 'definition' -> 'dimensions')`,
      conditionName: sql<string | null>`${artifacts.body} -> 'definition' ->> 'conditionName'`,
      conditionArgs: sql<number[] | null>`${artifacts.body} -> 'definition' -> 'conditionArgs'`,
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
    formatHash: (row.formatHash as Hash | null) ?? undefined,
    because,
    shape:
      row.paths === null
        ? undefined
        : {
            paths: row.paths,
            dimensions: row.dimensions ?? 0,
            conditionName: row.conditionName ?? '',
            conditionArgs: row.conditionArgs ?? [],
          },
  }
}

async function firstCode(ctx: Store, kind: Exclude<EntityKind, 'connector'>): Promise<OverviewCode[]> {
  const first = await firstShown(ctx, { kind, limit: NAMED })
  const rows = await ctx.db.orm
    .select({
      name: entities.name,
      argsCount: sql<number | null>`(${artifacts.body} ->> 'argsCount')::bigint::float8`,
    })
    .from(entities)
    .leftJoin(artifacts, eq(artifacts.contentHash, entities.artifactHash))
    .where(
      and(
        eq(entities.kind, kind),
        inArray(
          entities.name,
          first.map(({ name }) => name),
        ),
      ),
    )
  const argsCounts = new Map(rows.map(({ name, argsCount }) => [name, argsCount ?? undefined]))
  return first.map(({ name, owner }) => ({ name, owner, argsCount: argsCounts.get(name) }))
}
