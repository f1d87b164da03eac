/*
 * Settings of further chains: `CHAINS` names them by id, and a variable of a chain ends in its id. `CHAIN_RPC_URL` is the
 * node of the default chain, `CHAIN_RPC_URL_8453` the one of chain 8453.
 */

import { chainFacts } from '#lib/protocol/chains.ts'
import { DEFAULT_SCHEMA, schemaOfUrl } from './db/chain-schema.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that every chain has for itself: a further chain takes nothing from the default one. */
const OWN: readonly string[] = [
  'CHAIN_RPC_URL',
  'WORKER_RPC_URL',
  'NODE_BATCH_SIZE',
  'NODE_LOG_RANGE',
  'NODE_STATE_BLOCKS',
  'NODE_LOG_RESULTS',
  'NODE_TAGS',
  'NODE_PROOFS',
  'NODE_CALL_GAS',
  'NODE_NEW_HEADS',
  'NODE_CALLS_PER_SECOND',
  'CHAIN_WS_URL',
  'CHAIN_NAME',
  'CHAIN_CURRENCY',
  'PUBLIC_RPC_URL',
  'EXPLORER_URL',
  'DEPLOYMENT_BLOCK',
  'EXECUTE_GAS_LIMIT',
  'SPONSOR_PRIVATE_KEY',
  'WORKER_POLL_MS',
  'SAFE_DEPTH',
  'FINALIZED_DEPTH',
  'WORKER_PORT',
  'FEATURED',
]

/** Variables that a further chain takes from the default one, unless it has its own. */
const INHERITED: readonly string[] = [
  'REGISTRY_ADDRESS',
  'RUNNER_ADDRESS',
  'EXECUTE_BLOCK_TAG',
  'EXECUTE_TIMEOUT_MS',
  'PUBLICATION_ENABLED',
  'LAG_LIMIT_SECONDS',
  'SPONSOR_PER_DAY',
  'SPONSOR_PER_ACCOUNT',
  'SPONSOR_PER_CLIENT',
]

/** Returns the environment of a further chain, with its variables under the names of the default chain's. */
export function environmentOf(env: Environment, chainId: number): Environment {
  const own = OWN.map((name) => [name, env[`${name}_${chainId}`]] as const)
  const inherited = INHERITED.map((name) => [name, env[`${name}_${chainId}`]?.trim() || env[name]] as const)
  return {
    ...env,
    ...Object.fromEntries([...own, ...inherited]),
    CHAIN_ID: String(chainId),
    CHAINS: undefined,
  }
}

/** Returns a problem of a further chain's environment with the names that the operator wrote. */
export function nameInProblem(problem: string, chainId: number): string {
  const [name = ''] = problem.split(' ', 1)
  const own = OWN.includes(name) || INHERITED.includes(name)
  return own ? problem.replace(name, `${name}_${chainId}`) : problem
}

/**
 * Problems of `CHAINS` itself.
 *
 * @param defaultId Id of the default chain, where it is set.
 */
export function problemsOfChains(
  env: Environment,
  ids: readonly number[],
  defaultId: number | undefined,
): string[] {
  const problems: string[] = []
  if (ids.length > 0 && defaultId === undefined) {
    problems.push('CHAIN_ID is missing: CHAINS names further chains, so the default one needs its id as well')
  }
  for (const id of ids) {
    if (id === defaultId) problems.push(`CHAINS names ${id}, which is the default chain: remove it there`)
    for (const name of ['CHAIN_RPC_URL', 'DEPLOYMENT_BLOCK']) {
      if (env[`${name}_${id}`]?.trim()) continue
      problems.push(`${name}_${id} is missing: CHAINS names ${id}, so set it or remove ${id} there`)
    }
    if (!env[`REGISTRY_ADDRESS_${id}`]?.trim() && !env.REGISTRY_ADDRESS?.trim()) {
      problems.push(`REGISTRY_ADDRESS is missing: chain ${id} needs it, or REGISTRY_ADDRESS_${id} of its own`)
    }
  }
  for (const name of Object.keys(env)) {
    const [, variable = '', id = ''] = /^(.+)_(\d+)$/.exec(name) ?? []
    if (!OWN.includes(variable) && !INHERITED.includes(variable)) continue
    if (env[name]?.trim() && !ids.includes(Number(id))) {
      problems.push(`${name} is of a chain that CHAINS does not name: add ${id} to CHAINS, or unset it`)
    }
  }
  return problems
}

/** Returns the name of a chain: the operator's, else the usual one. */
export function chainTitle(chainId: number, chainName: string | undefined): string {
  return chainName ?? chainFacts(chainId).name
}

/** Returns the path above everything of a chain on this site: empty for the default chain, else `/chains/8453`. */
export function chainPath({
  chainId,
  databaseUrl,
}: {
  readonly chainId?: number | undefined
  readonly databaseUrl: string
}): string {
  return schemaOfUrl(databaseUrl) === DEFAULT_SCHEMA ? '' : `/chains/${chainId}`
}
