import type { Permission } from '../../protocol/world-manifest.ts'
import {
  feedArguments,
  hashArgument,
  nameArgument,
  pageArguments,
  runArguments,
  type ValueLimits,
} from './call-arguments.ts'
import type { Fields } from './envelope.ts'
import type { WorldCalls } from './protocol.ts'

/** One method a World may call: what it needs, and how its parameters become a call of the client. */
export interface WorldMethod {
  readonly permission: Permission
  /** @throws BadArguments before the client is touched. */
  readonly prepare: (
    params: Fields,
    limits: ValueLimits | undefined,
  ) => (client: WorldCalls) => Promise<unknown>
}

function byName(
  permission: Permission,
  call: (client: WorldCalls, name: string) => Promise<unknown>,
): WorldMethod {
  return {
    permission,
    prepare: (params) => {
      const name = nameArgument(params)
      return (client) => call(client, name)
    },
  }
}

/** A map, so that `constructor` and its like are unknown methods. */
export const METHODS: ReadonlyMap<string, WorldMethod> = new Map<keyof WorldCalls, WorldMethod>([
  ['connectorGet', byName('dcn.connectors.read', (client, name) => client.connectorGet(name))],
  ['connectorExists', byName('dcn.connectors.read', (client, name) => client.connectorExists(name))],
  ['transformationGet', byName('dcn.transformations.read', (client, name) => client.transformationGet(name))],
  [
    'transformationExists',
    byName('dcn.transformations.read', (client, name) => client.transformationExists(name)),
  ],
  ['conditionGet', byName('dcn.conditions.read', (client, name) => client.conditionGet(name))],
  ['conditionExists', byName('dcn.conditions.read', (client, name) => client.conditionExists(name))],
  [
    'listFormats',
    {
      permission: 'dcn.connectors.read',
      prepare: (params) => {
        const options = pageArguments(params)
        return (client) => client.listFormats(options)
      },
    },
  ],
  [
    'formatInfo',
    {
      permission: 'dcn.connectors.read',
      prepare: (params) => {
        const hash = hashArgument(params)
        const options = pageArguments(params)
        return (client) => client.formatInfo(hash, options)
      },
    },
  ],
  [
    'feed',
    {
      permission: 'dcn.social.read',
      prepare: (params) => {
        const options = feedArguments(params)
        return (client) => client.feed(options)
      },
    },
  ],
  [
    'execute',
    {
      permission: 'dcn.execute',
      prepare: (params, limits) => {
        const run = runArguments(params, limits)
        return (client) => client.execute(...run)
      },
    },
  ],
  [
    'simulate',
    {
      permission: 'dcn.execute',
      prepare: (params, limits) => {
        const run = runArguments(params, limits)
        return (client) => client.simulate(...run)
      },
    },
  ],
])
