import { encodeFunctionData, keccak256, type LocalAccount, numberToHex } from 'viem'
import { deployContracts } from '#lib/chain/deploy.ts'
import { PASSKEY_FACTORY } from '#lib/chain/passkey-factory.ts'
import { compileBody } from '#lib/compute/solidity/compile-body.ts'
import { passkeyFactoryAbi, runnerAbi } from '#lib/protocol/abi.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import { devAccount } from '../stack/contracts.ts'
import { GAS_SHAPES, type GasShapes } from './gas-shapes.ts'
import { deployerOn, publisherFor } from './publisher.ts'

/** Gas of transactions, all of it: base fee of a transaction and calldata included. */
export interface GasFigures {
  /** By shape: a `generate` transaction at each particle count. */
  readonly generate: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** By kind: a `publish` transaction of an owner with earlier publications. */
  readonly publish: Readonly<Record<string, number>>
  /** The same six publications of an owner, first among them the first of all: sent by the owner, or by another account. */
  readonly 'six publications': {
    readonly 'six transactions': number
    readonly 'one transaction': number
    readonly 'six signatures, six transactions of another': number
    readonly 'one signature, one transaction of another': number
  }
  /** A passkey account; its key changes the figure by the zero bytes of its key. */
  readonly passkey: { readonly create: number }
  readonly deploy: { readonly Registry: number; readonly Runner: number; readonly PasskeyFactory: number }
}

export const PARTICLE_COUNTS = [1, 1000] as const

/** The transformations, the condition and the first connectors. */
const BATCH_SIZE = 6

/** @param url a development chain with anvil's accounts and a block gas limit that takes the largest run. */
export async function measureGas(
  url: string,
  counts: readonly number[] = PARTICLE_COUNTS,
): Promise<GasFigures> {
  const deployer = deployerOn(url, devAccount(0))
  const { publicClient } = deployer
  const { registry, runner } = await deployContracts(deployer)
  const publisher = publisherFor(deployer, registry)

  const published = new Map<string, number>()
  const artifacts = buildArtifacts(GAS_SHAPES)
  for (const artifact of artifacts) {
    const { gasUsed } = await publisher.publish(artifact)
    published.set(artifact.name, Number(gasUsed))
  }

  const generate: Record<string, Record<string, number>> = {}
  for (const shape of Object.keys(GAS_SHAPES.runs)) {
    const figures: Record<string, number> = {}
    for (const count of counts) {
      const data = encodeFunctionData({ abi: runnerAbi, functionName: 'generate', args: [shape, count, []] })
      figures[count] = Number((await publisher.send(runner, data)).gasUsed)
    }
    generate[shape] = figures
  }
  const publish = Object.fromEntries(
    Object.entries(GAS_SHAPES.publications).map(([label, name]) => [label, published.get(name)!]),
  )
  const deployed = async (block: number) => {
    const { transactions } = await publicClient.getBlock({ blockNumber: BigInt(block) })
    const { gasUsed } = await publicClient.getTransactionReceipt({ hash: transactions[0]! })
    return Number(gasUsed)
  }
  const together = artifacts.slice(0, BATCH_SIZE)
  const onNewRegistry = async (salt: number, owner?: LocalAccount) => {
    const other = await deployContracts(deployer, { salt: numberToHex(salt, { size: 32 }) })
    return publisherFor(deployer, other.registry, owner)
  }
  const { gasUsed } = await (await onNewRegistry(0)).publishBatch(together)
  const each = await onNewRegistry(1, devAccount(1))
  let signedEach = 0
  for (const artifact of together) signedEach += Number((await each.publish(artifact)).gasUsed)
  const signedOnce = await (await onNewRegistry(2, devAccount(1))).publishBatch(together)
  const sixPublications = {
    'six transactions': together.reduce((sum, { name }) => sum + published.get(name)!, 0),
    'one transaction': Number(gasUsed),
    'six signatures, six transactions of another': signedEach,
    'one signature, one transaction of another': Number(signedOnce.gasUsed),
  }
  const create = encodeFunctionData({
    abi: passkeyFactoryAbi,
    functionName: 'create',
    args: [keccak256('0x01'), keccak256('0x02'), keccak256('0x03')],
  })
  return {
    generate,
    publish,
    'six publications': sixPublications,
    passkey: { create: Number((await publisher.send(PASSKEY_FACTORY, create)).gasUsed) },
    deploy: {
      Registry: await deployed(1),
      Runner: await deployed(2),
      PasskeyFactory: await deployed(3),
    },
  }
}

/** Everything of the shapes, in an order in which it can be published. */
function buildArtifacts(shapes: GasShapes): BuiltArtifact[] {
  const built = new Map<string, BuiltArtifact>()
  for (const [kind, bodies] of [
    ['transformation', shapes.transformations],
    ['condition', shapes.conditions],
  ] as const) {
    for (const [name, body] of Object.entries(bodies)) {
      const compiled = compileBody(kind, body)
      if (compiled.status !== 'compiled') throw new Error(`${name} does not compile`)
      const { argsCount, runtime } = compiled
      const contentHash = codeContentHash(kind, name, argsCount, runtime)
      built.set(`${kind}/${name}`, { kind, name, argsCount, runtime, contentHash })
    }
  }
  for (const definition of shapes.connectors) {
    built.set(
      `connector/${definition.name}`,
      buildConnector(definition, (kind, name) => built.get(`${kind}/${name}`)),
    )
  }
  return [...built.values()]
}
