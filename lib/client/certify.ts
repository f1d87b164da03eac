import {
  type Collected,
  collectCertificate,
  type EntityName,
  type RunToCertify,
} from '#lib/features/proofs/checker/collect.ts'
import type { Source } from '#lib/features/proofs/checker/sources.ts'
import type { ChainClient } from './chain.ts'

/** Connectors of one tree; more are not certified. */
const MAX_CONNECTORS = 256

/**
 * Certifies a run: reads what proves it from nodes that the caller chose, and the names in its tree from an API.
 *
 * @param api Any Weft that indexes the chain: names are proven by addresses, so a wrong one cannot pass.
 * @param sources Give headers; a certificate names those that agreed.
 * @throws Refusal when the sources disagree, or what is needed cannot be read.
 */
export function certifyRun(
  api: ChainClient,
  run: RunToCertify,
  sources: readonly Source[],
): Promise<Collected> {
  return collectCertificate(run, sources, (connector) => namesBelow(api, connector))
}

async function namesBelow(api: ChainClient, connector: string): Promise<EntityName[]> {
  const found = new Map<string, EntityName>()
  let next = [connector]
  while (next.length > 0) {
    const below = await Promise.all(next.map((name) => namesIn(api, name)))
    for (const name of next) found.set(`connector/${name}`, { kind: 'connector', name })
    const used = below.flat()
    for (const one of used) if (one.kind !== 'connector') found.set(`${one.kind}/${one.name}`, one)
    const connectors = used.flatMap(({ kind, name }) => (kind === 'connector' ? [name] : []))
    next = [...new Set(connectors)].filter((name) => !found.has(`connector/${name}`))
    if (found.size + next.length > 4 * MAX_CONNECTORS) throw new Error('the tree has too many names')
  }
  return [...found.values()]
}

async function namesIn(api: ChainClient, name: string): Promise<EntityName[]> {
  const { data } = await api.GET('/connector/{name}', { params: { path: { name } } })
  if (data === undefined) throw new Error(`the API does not give the connector ${name}`)
  const { dimensions, condition_name: condition } = data
  return [
    ...dimensions.flatMap(({ transformations, composite, bindings }) => [
      ...transformations.map((call) => ({ kind: 'transformation' as const, name: call.name })),
      ...[composite, ...Object.values(bindings)].flatMap((used) =>
        used ? [{ kind: 'connector' as const, name: used }] : [],
      ),
    ]),
    ...(condition ? [{ kind: 'condition' as const, name: condition }] : []),
  ]
}
