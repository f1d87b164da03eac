import { hexToBytes, isHex } from 'viem/utils'
import {
  type Collected,
  checkFile,
  collectCertificate,
  type EntityName,
  nodeAt,
  type RunToCertify,
  registryOf,
  type Source,
} from '#lib/features/proofs/checker/index.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { ChainClient } from './chain.ts'
import { orThrow } from './errors.ts'

/** A run of a published connector. */
export interface RunToVerify {
  readonly connector: string
  /** Particles, 1 to 65,536. */
  readonly count: number
  /** Running instances that begin elsewhere, by position. */
  readonly starts?: readonly {
    readonly position: number
    readonly startPoint: number
    readonly transformationShift: number
  }[]
}

/** Result of the check of a certificate. */
export interface Verification {
  /** `consistent`: the values follow if the block is of the chain, which nothing that you trust says. */
  readonly verdict: 'proven' | 'consistent' | 'refuted' | 'undecided'
  /** `proven`, `consistent`, or the code of the first step that failed. */
  readonly code: string
  readonly sentence: string
  /** Id of the chain that the file names; this and what follows is null where the file cannot be read. */
  readonly chain: number | null
  readonly block: { readonly number: number; readonly hash: string; readonly final: boolean } | null
  readonly registry: string | null
  /** Named by the author of the file: nothing checks them. */
  readonly sources: readonly string[] | null
}

/** Facts about the chain that the caller trusts: a certificate is proven where all of it agrees with the file. */
export interface Trusted {
  /** Hash of a block of the chain. */
  readonly block?: string
  /** Addresses of nodes. */
  readonly nodes?: readonly string[]
}

/**
 * Makes the certificate of a run: what a check needs to prove its values without any network.
 *
 * @param chain The API of any site that indexes the chain; nothing it says is believed.
 * @param nodeUrls Nodes that give headers, proofs and code. The certificate names those that agreed.
 * @returns The text of a `.weft.json` file, at most 8 MiB.
 * @throws Error when the nodes disagree, or what is needed cannot be read.
 */
export async function certify(
  chain: ChainClient,
  { connector, count, starts = [] }: RunToVerify,
  nodeUrls: readonly string[],
): Promise<string> {
  if (nodeUrls.length === 0) throw new Error('Name at least one node')
  const sources = sourcesAt(nodeUrls)
  const body = { connector_name: connector, particles_count: 1 }
  const { runner } = await orThrow(chain.POST('/execute', { body }))
  const { name, code } = await codeAt(sources, runner)
  if (!isHex(code) || code === '0x') {
    throw new Error(`The node ${name} has no runner at ${runner}: is it on the same chain as the site?`)
  }
  const { text } = await certifyRun(
    chain,
    {
      registry: registryOf(hexToBytes(code)),
      runner: runner.toLowerCase() as Address,
      connector,
      count,
      starts,
      shownResult: undefined,
    },
    sources,
  )
  return text
}

/** The code at an address, by the first source that answers. @throws the error of the last one. */
async function codeAt(sources: readonly Source[], address: string) {
  let failure: unknown
  for (const { name, ask } of sources) {
    try {
      return { name, code: await ask('eth_getCode', [address, 'latest']) }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/**
 * Checks the text of a certificate, without any network where no node is trusted. Never throws for what the text holds.
 *
 * @param trusted Without it no certificate is more than consistent.
 */
export function verify(text: string, { block, nodes = [] }: Trusted = {}): Promise<Verification> {
  return checkFile(text, { block: block as Hash | undefined, nodes: sourcesAt(nodes) })
}

/** Paths of nodes may hold keys: a certificate and a verdict name the host alone. */
function sourcesAt(urls: readonly string[]): Source[] {
  return urls.map((url) => ({ name: new URL(url).host.slice(0, 100), ask: nodeAt(url) }))
}

/** Connectors of one tree; more are not certified. */
const MAX_CONNECTORS = 256

/**
 * Certifies a run: reads what proves it from nodes that the caller chose, and the names in its tree from an API.
 *
 * @param api Any Weft that indexes the chain: names are proven by addresses, so a wrong one cannot pass.
 * @param sources Give headers; a certificate names those that agreed.
 * @throws Refusal when the sources disagree, or what is needed cannot be read.
 */
function certifyRun(api: ChainClient, run: RunToCertify, sources: readonly Source[]): Promise<Collected> {
  return collectCertificate(run, sources, (connector) => namesBelow(api, connector))
}

async function namesBelow(api: ChainClient, connector: string): Promise<EntityName[]> {
  const nameByKey = new Map<string, EntityName>()
  let next = [connector]
  while (next.length > 0) {
    const below = await Promise.all(next.map((name) => namesIn(api, name)))
    for (const name of next) nameByKey.set(`connector/${name}`, { kind: 'connector', name })
    const uses = below.flat()
    for (const one of uses) if (one.kind !== 'connector') nameByKey.set(`${one.kind}/${one.name}`, one)
    const connectors = uses.flatMap(({ kind, name }) => (kind === 'connector' ? [name] : []))
    next = [...new Set(connectors)].filter((name) => !nameByKey.has(`connector/${name}`))
    if (nameByKey.size + next.length > 4 * MAX_CONNECTORS) throw new Error('the tree has too many names')
  }
  return [...nameByKey.values()]
}

async function namesIn(api: ChainClient, name: string): Promise<EntityName[]> {
  const { data } = await api.GET('/connector/{name}', { params: { path: { name } } })
  if (data === undefined) throw new Error(`the API does not give the connector ${name}`)
  const { dimensions, condition_name: condition } = data
  return [
    ...dimensions.flatMap(({ transformations, composite, bindings }) => [
      ...transformations.map((call) => ({ kind: 'transformation' as const, name: call.name })),
      ...[composite, ...Object.values(bindings)].flatMap((name) =>
        name ? [{ kind: 'connector' as const, name }] : [],
      ),
    ]),
    ...(condition ? [{ kind: 'condition' as const, name: condition }] : []),
  ]
}
