import { getContractAddress } from 'viem'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import factoryArtifact from '../../contracts/artifacts/PasskeyFactory.json' with { type: 'json' }
import type { ChainAccess } from './access.ts'
import { CREATE2_DEPLOYER, SALT } from './create2-deployer.ts'
import { readProvider } from './provider.ts'

/** Creation code of the factory of passkey accounts. */
export const PASSKEY_FACTORY_CREATION = factoryArtifact.bytecode as Hex

/** The factory's address, the same on every chain. */
export const PASSKEY_FACTORY = getContractAddress({
  opcode: 'CREATE2',
  from: CREATE2_DEPLOYER,
  salt: SALT,
  bytecode: PASSKEY_FACTORY_CREATION,
}).toLowerCase() as Address

/** Anyone can deploy it at any time; once there, it stays. */
const ABSENT_MS = 60_000

const present = new WeakSet<ChainAccess>()
const absentUntilMs = new WeakMap<ChainAccess, number>()

/**
 * Returns the factory of passkey accounts; undefined where the chain lacked it within the last minute.
 *
 * @param nowMs Monotonic time.
 * @throws Failure('chain_unavailable')
 */
export async function passkeyFactory(
  chain: ChainAccess,
  nowMs = performance.now(),
): Promise<Address | undefined> {
  if (present.has(chain)) return PASSKEY_FACTORY
  if (nowMs < (absentUntilMs.get(chain) ?? 0)) return undefined
  const code = await readProvider('read the code', () => chain.public.getCode({ address: PASSKEY_FACTORY }))
  if (code === undefined || code === '0x') {
    absentUntilMs.set(chain, nowMs + ABSENT_MS)
    return undefined
  }
  present.add(chain)
  return PASSKEY_FACTORY
}
