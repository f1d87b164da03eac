import { padHex } from 'viem'
import type { Address } from '../../protocol/entity.ts'
import { PASSKEY_FACTORY } from '../passkey-factory.ts'
import type { Submission } from './submit.ts'

/** What our contracts are compiled from. */
export interface VerifierInputs {
  readonly compiler: string
  /** solc's standard JSON inputs. */
  readonly protocol: object
  readonly passkeys: object
}

/** The contracts of a chain as verifiers take them. */
export function contractSubmissions(
  chainId: number,
  { registry, runner }: { readonly registry: Address; readonly runner: Address },
  { compiler, protocol, passkeys }: VerifierInputs,
): Submission[] {
  const shared = { chainId, compiler, input: protocol }
  return [
    { ...shared, name: 'Registry', address: registry, constructorArgs: '0x' },
    { ...shared, name: 'Runner', address: runner, constructorArgs: padHex(registry, { size: 32 }) },
    { ...shared, input: passkeys, name: 'PasskeyFactory', address: PASSKEY_FACTORY, constructorArgs: '0x' },
  ]
}
