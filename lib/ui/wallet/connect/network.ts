import { ask } from '#lib/browser/requests.ts'
import type { NetworkAnswer } from '#lib/server/operations/session/operations.ts'

export type Network = NetworkAnswer
export type NetworkChain = NonNullable<Network['chain']>

/** @throws Refusal, NoAnswer */
export async function fetchNetwork(): Promise<Network> {
  return (await ask('GET', '/session/network')) as Network
}
