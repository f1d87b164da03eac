import { decodeErrorResult, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { devAccount } from '#test/support/chain.ts'
import { signPublication } from '#test/support/sign-publication.ts'
import {
  type Answer,
  codeArtifact,
  type PublicationTuple,
  startNode,
  type TestNetwork,
  type TestNode,
} from './network.ts'

export const owner = devAccount(0).address
export const stranger = devAccount(1).address
export const plus = codeArtifact('transformation', 'Plus', 'return x + args[0];')

/** Set before each test of a file that calls `freshRegistryPerTest`. */
export let node: TestNode
export let network: TestNetwork

/** Starts a node for a file, and deploys a registry for each of its tests. */
export function freshRegistryPerTest(): void {
  beforeAll(async () => {
    node = await startNode()
  })
  afterAll(() => node.close())
  beforeEach(async () => {
    network = await node.deploy()
  })
}

/** The name of the error that an answer carries, `none` for output. */
export function errorOf(answer: Answer): string {
  if (answer.ok) return 'none'
  return decodeErrorResult({ abi: registryAbi, data: answer.revertData }).errorName
}

/** The number of publications of an account so far. */
export function nonceOf(account: Address): Promise<bigint> {
  return node.publicClient.readContract({
    address: network.registry,
    abi: registryAbi,
    functionName: 'nonces',
    args: [account],
  })
}

/** The signature of a development account under a publication, for this registry unless changed. */
export function sign(
  account: number,
  publication: PublicationTuple,
  changes: { chainId?: number; registry?: Address } = {},
) {
  return signPublication(devAccount(account), publication, {
    address: changes.registry ?? network.registry,
    chainId: changes.chainId ?? 31_337,
  })
}

/** Sends a publication from a development account. */
export function send(publication: PublicationTuple, signature: Hex, account: number) {
  return node.send({
    to: network.registry,
    from: devAccount(account).address,
    data: encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, signature] }),
  })
}

/** The registry's entry of a name. */
export function entry(kind: number, name: string) {
  return node.publicClient.readContract({
    address: network.registry,
    abi: registryAbi,
    functionName: 'entry',
    args: [kind, name],
  })
}
