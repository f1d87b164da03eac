import { type Address, type Chain, type Hex, hexToBigInt, hexToNumber, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import { browserMemory } from '#lib/browser/memory.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'

const KEY = 'weft-burner-key'

/** Storage is unavailable: a new key would be lost with the page. */
export class NoStorage extends Error {
  override readonly name = 'NoStorage'
}

interface BurnerProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/**
 * A throwaway wallet for development chains. Its key is in the browser's storage, unprotected, and lost with the
 * site's data. It signs without confirmation; the server sends its transactions.
 */
export function burner(chainId: number): CreateConnectorFn<BurnerProvider> {
  return createConnector<BurnerProvider>((config) => ({
    id: 'burner',
    name: 'Throwaway wallet',
    type: 'burner',
    async connect<withCapabilities extends boolean = false>(parameters?: {
      isReconnecting?: boolean | undefined
    }) {
      const key = readKey()
      if (key === undefined && parameters?.isReconnecting) return { accounts: [] as never, chainId }
      const { address } = await accountOf(key ?? (await makeKey()))
      if (!parameters?.isReconnecting) await fund(address)
      type Accounts = withCapabilities extends true
        ? readonly { address: Address; capabilities: Record<string, unknown> }[]
        : readonly Address[]
      return { accounts: [address] as readonly unknown[] as Accounts, chainId }
    },
    disconnect: async () => undefined,
    async getAccounts() {
      const key = readKey()
      return key === undefined ? [] : [(await accountOf(key)).address]
    },
    getChainId: async () => chainId,
    getProvider: async () => ({ request: (call) => answer(call, chainId) }),
    isAuthorized: async () => readKey() !== undefined,
    switchChain: async () => config.chains[0] as Chain,
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => undefined,
  }))
}

async function answer(
  { method, params = [] }: { method: string; params?: readonly unknown[] },
  chainId: number,
): Promise<unknown> {
  const key = readKey()
  if (method === 'eth_chainId') return numberToHex(chainId)
  if (key === undefined) throw new NoStorage('There is no key in this browser any more')
  const account = await accountOf(key)
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account.address]
  if (method === 'personal_sign') return account.signMessage({ message: { raw: params[0] as Hex } })
  if (method === 'eth_signTypedData_v4') return account.signTypedData(JSON.parse(String(params[1])))
  if (method === 'eth_signTransaction') return sign(account, params[0] as Readonly<Record<string, Hex>>)
  throw Object.assign(new Error(`${method} is not something this wallet does`), { code: 4200 })
}

function sign(account: PrivateKeyAccount, tx: Readonly<Record<string, Hex>>): Promise<Hex> {
  const quantity = (name: string) => hexToBigInt(tx[name] ?? '0x0')
  return account.signTransaction({
    type: 'eip1559',
    chainId: hexToNumber(tx.chainId ?? '0x0'),
    to: tx.to as Address,
    data: tx.data as Hex,
    value: quantity('value'),
    gas: quantity('gas'),
    nonce: hexToNumber(tx.nonce ?? '0x0'),
    maxFeePerGas: quantity('maxFeePerGas'),
    maxPriorityFeePerGas: quantity('maxPriorityFeePerGas'),
  })
}

function readKey(): Hex | undefined {
  const key = browserMemory.read(KEY)
  return key !== undefined && /^0x[0-9a-f]{64}$/.test(key) ? (key as Hex) : undefined
}

async function makeKey(): Promise<Hex> {
  const { generatePrivateKey } = await importAgain(() => import('viem/accounts'))
  const key = generatePrivateKey()
  try {
    localStorage.setItem(KEY, key)
  } catch (cause) {
    throw new NoStorage('The browser keeps nothing for this site', { cause })
  }
  return key
}

/** Loaded on demand. */
async function accountOf(key: Hex): Promise<PrivateKeyAccount> {
  const { privateKeyToAccount } = await importAgain(() => import('viem/accounts'))
  return privateKeyToAccount(key)
}

/** Requests test coins for fees; without them everything but publishing works. */
export async function fund(address: Address): Promise<void> {
  try {
    await fetch('/dev/chain/fund', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ account: address }),
    })
  } catch {
    // Publication reports missing coins.
  }
}
