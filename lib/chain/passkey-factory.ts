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

const present = new WeakSet<ChainAccess>()

/**
 * Returns the factory of passkey accounts; undefined where the chain lacks it.
 *
 * @throws Failure('chain_unavailable')
 */
export async function passkeyFactory(chain: ChainAccess): Promise<Address | undefined> {
  if (present.has(chain)) return PASSKEY_FACTORY
  const code = await readProvider('read the code', () => chain.public.getCode({ address: PASSKEY_FACTORY }))
  if (code === undefined || code === '0x') return undefined
  present.add(chain)
  return PASSKEY_FACTORY
}
