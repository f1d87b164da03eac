import type { Permission, WorldLimits } from '#lib/protocol/world-manifest.ts'
import { feedArguments, hashArgument, nameArgument, pageArguments, runArguments } from './call-arguments.ts'
import type { Fields } from './envelope.ts'
import type { WorldCalls } from './protocol.ts'

/** One method a World may call: what it needs, and how its parameters become the arguments of the client's. */
interface WorldMethod {
  readonly permission: Permission
  /** @throws BadArguments */
  readonly read: (params: Fields, limits: WorldLimits | undefined) => readonly unknown[]
}

const CONNECTORS: WorldMethod = {
  permission: 'dcn.connectors.read',
  read: (params) => [nameArgument(params)],
}
const TRANSFORMATIONS: WorldMethod = { ...CONNECTORS, permission: 'dcn.transformations.read' }
const CONDITIONS: WorldMethod = { ...CONNECTORS, permission: 'dcn.conditions.read' }
const RUNS: WorldMethod = { permission: 'dcn.execute', read: runArguments }

/** A map, so that `constructor` and its like are unknown methods. */
export const METHODS: ReadonlyMap<string, WorldMethod> = new Map(
  Object.entries({
    connectorGet: CONNECTORS,
    connectorExists: CONNECTORS,
    transformationGet: TRANSFORMATIONS,
    transformationExists: TRANSFORMATIONS,
    conditionGet: CONDITIONS,
    conditionExists: CONDITIONS,
    listFormats: { ...CONNECTORS, read: (params) => [pageArguments(params)] },
    formatInfo: { ...CONNECTORS, read: (params) => [hashArgument(params), pageArguments(params)] },
    feed: { permission: 'dcn.social.read', read: (params) => [feedArguments(params)] },
    execute: RUNS,
    simulate: RUNS,
  } satisfies Record<keyof WorldCalls, WorldMethod>),
)

/** Calls a method of a client. */
export function callOf(client: WorldCalls, name: string, args: readonly unknown[]): Promise<unknown> {
  return (client[name as keyof WorldCalls] as (...args: readonly unknown[]) => Promise<unknown>)(...args)
}
