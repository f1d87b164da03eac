import { hexToBytes } from 'viem/utils'
import { checkFile } from '../proof/check.ts'
import { encodeParticles } from '../proof/compute.ts'
import { registryOf } from '../proof/contracts.ts'
import { nodeAt } from '../proof/node.ts'
import { certifyRun as certify } from './certify.ts'
import type { ChainClient } from './chain.ts'

/** A run of a published connector. */
export interface CertifiableRun {
  readonly connector: string
  /** 1..65536. */
  readonly count: number
  /** By position; others start as the definition says. */
  readonly starts?: Readonly<Record<number, { readonly start: number; readonly shift?: number }>>
}

export interface RunCertificate {
  /** Content of a `.weft.json` file. */
  readonly text: string
  /** Hosts of nodes that gave no header. */
  readonly silent: readonly string[]
}

/** What a check found. */
export interface CertificateVerdict {
  readonly verdict: 'proven' | 'refuted' | 'undecided'
  /** Of `docs/certificate.md`: `proven`, or that of the first step that failed. */
  readonly code: string
  /** What was proven, by what, and what was not; or why it was not. */
  readonly sentence: string
}

/**
 * Certifies a run at the newest block: reads what proves it from nodes of your choice.
 *
 * @param api Any Weft that indexes the chain; none of its words are believed.
 * @param nodes Addresses of JSON-RPC nodes. The certificate names the hosts of those whose headers agreed.
 * @throws Error with the reason: the run is rejected, the nodes disagree or have no Merkle proofs, a name is unknown.
 */
export async function certifyRun(
  api: ChainClient,
  { connector, count, starts = {} }: CertifiableRun,
  nodes: readonly string[],
): Promise<RunCertificate> {
  const [first] = nodes
  if (first === undefined) throw new Error('Name the address of at least one node')
  const positions = Object.entries(starts)
    .map(([position, { start, shift = 0 }]) => ({
      ...{ position: Number(position), startPoint: start },
      transformationShift: shift,
    }))
    .sort((a, b) => a.position - b.position)
  const { data, error } = await api.POST('/execute', {
    body: {
      connector_name: connector,
      particles_count: count,
      dynamic_ri: Object.fromEntries(
        positions.map(({ position, startPoint, transformationShift }) => [
          position,
          { start_point: startPoint, transformation_shift: transformationShift },
        ]),
      ),
    },
  })
  if (data === undefined) throw new Error(error.message)
  const runner = data.runner.toLowerCase() as `0x${string}`
  const code = await nodeAt(first)('eth_getCode', [runner, 'latest'])
  const registry = registryOf(hexToBytes(code as `0x${string}`))
  const answer = encodeParticles(
    data.particles.map(({ path, data: values }) => ({ path, data: Uint32Array.from(values) })),
  )
  return certify(
    api,
    {
      ...{ registry, runner, connector, count, starts: positions },
      ranAt: { number: data.block_number, hash: data.block_hash as `0x${string}` },
      shown: { result: 'particles', answer },
    },
    nodes.map((url) => ({ name: new URL(url).host, ask: nodeAt(url) })),
  )
}

/** Checks the text of a certificate, without any network. Never throws for what the text holds. */
export async function checkCertificate(text: string): Promise<CertificateVerdict> {
  const { verdict, code, sentence } = await checkFile(text)
  return { verdict, code, sentence }
}
