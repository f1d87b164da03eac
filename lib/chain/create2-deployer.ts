import {
  type Account,
  type Chain,
  type Hex,
  type PublicClient,
  parseEther,
  stringToHex,
  type Transport,
  type WalletClient,
} from 'viem'
import { isDevChainId } from '#lib/protocol/dev-chain.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'

/** An account on a chain that pays for deployments. */
export interface Deployer {
  readonly account: Account
  readonly walletClient: WalletClient<Transport, Chain | undefined>
  readonly publicClient: PublicClient<Transport, Chain | undefined>
}

/**
 * The deterministic deployment proxy, at the same address on every chain: called with a salt and creation code it
 * creates a contract by CREATE2. https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const CREATE2_DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** CREATE2 salt of our contracts; with their code it determines their addresses. */
export const SALT: Hash = stringToHex('Weft', { size: 32 })

const CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

/** Transaction that creates the proxy. Its signature was chosen, so no key of the sender exists. */
const KEYLESS_TRANSACTION: Hex =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222'
const KEYLESS_SENDER: Address = '0x3fab184622dc19b6109349b94811493bf2a45362'
/** 100,000 gas at 100 gwei, which is written in the transaction. */
const KEYLESS_COST = parseEther('0.01')

/** Thrown where the proxy is missing and may not be deployed without permission. */
export class NoCreate2Deployer extends Error {}

/**
 * Deploys the proxy where it is missing, on a development chain or where it is allowed.
 *
 * @throws NoCreate2Deployer where it is not allowed, Error where the chain refuses the keyless transaction.
 */
export async function ensureCreate2Deployer(
  { account, publicClient, walletClient }: Deployer,
  allowed: boolean,
): Promise<void> {
  const present = async () => (await publicClient.getCode({ address: CREATE2_DEPLOYER })) === CODE
  if (await present()) return
  const chainId = await publicClient.getChainId()
  if (!allowed && !isDevChainId(chainId)) {
    throw new NoCreate2Deployer(
      `Chain ${chainId} lacks the deterministic deployment proxy ${CREATE2_DEPLOYER}, which gives contracts the same address on every chain.`,
    )
  }
  try {
    const balance = await publicClient.getBalance({ address: KEYLESS_SENDER })
    if (balance < KEYLESS_COST) {
      const hash = await walletClient.sendTransaction({
        account,
        chain: walletClient.chain ?? null,
        to: KEYLESS_SENDER,
        value: KEYLESS_COST - balance,
      })
      await publicClient.waitForTransactionReceipt({ hash })
    }
    const hash = await publicClient.sendRawTransaction({ serializedTransaction: KEYLESS_TRANSACTION })
    await publicClient.waitForTransactionReceipt({ hash })
  } catch (cause) {
    throw new Error(
      `Chain ${chainId} refuses the transaction that creates the deterministic deployment proxy: ${firstLine(cause)}`,
      { cause },
    )
  }
  if (!(await present())) {
    throw new Error(`The deterministic deployment proxy could not be created on chain ${chainId}.`)
  }
}

function firstLine(error: unknown) {
  return error instanceof Error ? error.message.split('\n')[0] : String(error)
}
