import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../context/context.ts'
import { accounts, artifacts, entities, formats, networkTotals } from '../platform/db/schema/index.ts'
import type { Address, EntityKind, Hash } from '../protocol/entity.ts'

/** How much of each kind an overview names; everything is counted. */
const NEWEST = 24

export interface OverviewConnector {
  readonly name: string
  readonly owner: Address
  readonly contentHash: Hash
  readonly formatHash: Hash | undefined
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
  /** Newest first, at most 24 of each kind. */
  readonly connectors: readonly OverviewConnector[]
  readonly transformations: readonly OverviewCode[]
  readonly conditions: readonly OverviewCode[]
  /** Formats of the connectors above, most used first. */
  readonly formats: readonly OverviewFormat[]
  /** Owners of the entities above, most active first. */
  readonly accounts: readonly OverviewAccount[]
}

type Store = Pick<Context, 'db'>

/**
 * What the published network holds: how much of everything, and the newest of each kind. A fixed number of
 * indexed reads, whatever the size of the network.
 */
export async function networkOverview(ctx: Store): Promise<NetworkOverview> {
  const [counted, connectors, transformations, conditions] = await Promise.all([
    ctx.db.orm.select().from(networkTotals),
    newestConnectors(ctx),
    newestCode(ctx, 'transformation'),
    newestCode(ctx, 'condition'),
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
      .limit(NEWEST),
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

const newestFirst = [desc(entities.blockNumber), desc(entities.txIndex), desc(entities.logIndex)] as const

/** Reads sizes inside the database: the definition of one connector can be large, and is not needed. */
async function newestConnectors(ctx: Store): Promise<OverviewConnector[]> {
  const rows = await ctx.db.orm
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
    .where(eq(entities.kind, 'connector'))
    .orderBy(...newestFirst)
    .limit(NEWEST)
  return rows.map((row) => ({
    name: row.name,
    owner: row.owner as Address,
    contentHash: row.contentHash as Hash,
    formatHash: (row.formatHash as Hash | null) ?? undefined,
    shape:
      row.paths === null
        ? undefined
        : {
            paths: row.paths,
            dimensions: row.dimensions ?? 0,
            conditionName: row.conditionName ?? '',
            conditionArgs: row.conditionArgs ?? [],
          },
  }))
}

async function newestCode(ctx: Store, kind: Exclude<EntityKind, 'connector'>): Promise<OverviewCode[]> {
  const rows = await ctx.db.orm
    .select({
      name: entities.name,
      owner: entities.owner,
      argsCount: sql<number | null>`(${artifacts.body} ->> 'argsCount')::bigint::float8`,
    })
    .from(entities)
    .leftJoin(artifacts, eq(artifacts.contentHash, entities.artifactHash))
    .where(eq(entities.kind, kind))
    .orderBy(...newestFirst)
    .limit(NEWEST)
  return rows.map((row) => ({
    name: row.name,
    owner: row.owner as Address,
    argsCount: row.argsCount ?? undefined,
  }))
}
