import { hexToBytes } from 'viem/utils'
import type { SimulationResult } from '#lib/compute/simulator/simulator.ts'
import type { Context } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { artifactClosure } from '#lib/core/entities/load-artifacts.ts'
import { findConnector, simulateOrReject } from '#lib/core/entities/simulate.ts'
import { encodeParticles } from '#lib/engine/recheck.ts'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import { traitsOf } from '#lib/protocol/code-traits.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { Refusal } from '#lib/protocol/refusal.ts'
import { MAX_CERTIFIED_VALUES, type RunLink, writeStarts } from '#lib/protocol/run-link.ts'
import type { Certificate } from './checker/certificate.ts'
import { collectCertificate } from './checker/collect.ts'
import type { AskNode } from './checker/node.ts'

/** Parts of a connector for which a server makes certificates; `weft certify` makes larger ones. */
const [MAX_PARTS, MAX_PART_BYTES] = [64, 512 * 1024]

const certificates = new ByteLru<string, string>(16 * 1024 * 1024)

/**
 * The certificate of a run of published code that reads nothing but its input, with the header that this server's node gives.
 *
 * @returns The text of a `.weft.json` file.
 * @throws Failure('not_found') for an unknown connector or a draft, Failure('rejected') for a run that has no
 *   certificate here, Failure('overloaded'), Failure('chain_unavailable').
 */
export async function certifyRun(
  ctx: Context,
  { connector, count, dynamicRi }: Pick<RunLink, 'connector' | 'count' | 'dynamicRi'>,
): Promise<string> {
  const { config } = ctx
  if (ctx.chain === undefined) {
    throw new Failure('chain_unavailable', 'There are no certificates: no chain is configured on this server')
  }
  const root = await findConnector(ctx, connector)
  const chain = await verifiedChain(ctx)
  const key = [chain.chainId, chain.registry, root, count, writeStarts(dynamicRi)].join(' ')
  const certificate = certificates.get(key)
  if (certificate !== undefined) return certificate
  const artifacts = await artifactClosure(ctx, [root], { artifacts: MAX_PARTS, bytes: MAX_PART_BYTES })
  const { dependsOn } = traitsOf(artifacts)
  if (dependsOn !== 'input')
    throw refusedHere(`its code reads ${dependsOn === 'block' ? 'the block' : 'its surroundings'}`)
  const [artifact] = artifacts
  const leaves = artifact?.kind === 'connector' ? artifact.leafCount : 1
  if (leaves * count > MAX_CERTIFIED_VALUES) {
    throw refusedHere(
      `it has ${leaves * count} values, and at most ${MAX_CERTIFIED_VALUES} are certified here. The command weft certify makes larger ones, by nodes that you choose`,
    )
  }
  const text = await ctx.places.certificates
    .run(async () => {
      const input = { connectorName: connector, particlesCount: count, dynamicRi }
      const shownResult = shownBy(await simulateOrReject(ctx, input, leaves))
      const ask: AskNode = (method, params) => chain.public.request({ method, params } as never)
      const { registry, runner } = chain
      const run = { registry, runner, connector, count, starts: dynamicRi, shownResult }
      const source = { name: new URL(config.siteOrigin).host.slice(0, 100), ask }
      return (await collectCertificate(run, [source], async () => artifacts)).text
    }, ctx)
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'entry_absent') throw new Failure('not_found', error.message)
      throw error.refuted ? refusedHere(error.message) : new Failure('chain_unavailable', error.message)
    })
  // One that is not final yet may name a block that the chain replaces.
  if ((JSON.parse(text) as { block: { final: boolean } }).block.final)
    certificates.set(key, text, text.length)
  return text
}

function shownBy(outcome: SimulationResult): Pick<Certificate, 'result' | 'answer'> {
  if (outcome.ok) return { result: 'particles', answer: encodeParticles(outcome.particles) }
  const { name, revertData } = outcome.rejection
  // The chain names an address there, which a simulation does not have.
  if (name === 'InvalidEntity') throw refusedHere('a part of it returns what no such part may')
  return { result: 'revert', answer: hexToBytes(revertData) }
}

function refusedHere(why: string): Failure {
  return new Failure('rejected', `This run has no certificate here: ${why}`)
}
