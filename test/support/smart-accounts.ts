import { join } from 'node:path'
import {
  concat,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  hashMessage,
  hashTypedData,
  http,
  keccak256,
  pad,
  parseAbi,
  serializeErc6492Signature,
  size,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { CREATE2_DEPLOYER } from '#lib/chain/create2-deployer.ts'
import { compileContracts } from '#scripts/contracts/compile.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'

/** An account as wallets use it, whatever checks its signatures. */
export interface SigningAccount {
  readonly address: Hex
  signMessage(raw: Hex): Promise<Hex>
  signTypedData(json: string): Promise<Hex>
  /** Calls in the name of the account, and waits until it is mined. */
  send(call: { readonly to: Hex; readonly data: Hex }): Promise<Hex>
}

export interface SmartAccountOptions {
  readonly keys: number
  readonly threshold: number
  /** Whether it is deployed only by its first call. */
  readonly counterfactual?: boolean
}

const ABI = parseAbi(['function execute(address to, bytes data, bytes signatures)'])
let compiled: { abi: readonly unknown[]; bytecode: Hex } | undefined

function walletCode() {
  compiled ??= compileContracts(join(import.meta.dirname, '../..'), [
    'test/SmartWallet.sol',
  ])[0] as NonNullable<typeof compiled>
  return compiled
}

function clientsOf(rpcUrl: string) {
  const transport = http(rpcUrl)
  const chain = createPublicClient({ chain: devChain, transport })
  /** Pays for what accounts do. */
  const relayer = createWalletClient({
    account: privateKeyToAccount(generatePrivateKey()),
    chain: devChain,
    transport,
  })
  const fund = (address: Hex) =>
    chain.request({
      method: 'anvil_setBalance' as never,
      params: [address, '0x56bc75e2d63100000'] as never,
    })
  const mined = async (hash: Hex) => {
    const { status } = await chain.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw Object.assign(new Error('execution reverted'), { code: -32_000 })
    return hash
  }
  return { chain, relayer, fund, mined }
}

type Key = ReturnType<typeof privateKeyToAccount>

function newKeys(count: number): Key[] {
  return Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey())).sort((a, b) =>
    a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1,
  )
}

function typedDataHash(json: string): Hex {
  const { types, ...data } = JSON.parse(json)
  const { EIP712Domain: _, ...own } = types
  return hashTypedData({ ...data, types: own })
}

/** An account of a contract (EIP-1271), of one key or of several of which some must sign. */
export async function newContractAccount(
  rpcUrl: string,
  { keys: count, threshold, counterfactual = false }: SmartAccountOptions,
): Promise<SigningAccount> {
  const { chain, relayer, fund, mined } = clientsOf(rpcUrl)
  await fund(relayer.account.address)
  const keys = newKeys(count)
  const { abi, bytecode } = walletCode()
  const initCode = encodeDeployData({ abi, bytecode, args: [keys.map(({ address }) => address), threshold] })
  const salt = pad('0x01')
  const address = getCreate2Address({ from: CREATE2_DEPLOYER, salt, bytecodeHash: keccak256(initCode) })
  const deployment = concat([salt, initCode])
  const isDeployed = async () => (await chain.getCode({ address })) !== undefined
  const deploy = async () =>
    void (await mined(await relayer.sendTransaction({ to: CREATE2_DEPLOYER, data: deployment })))
  if (!counterfactual) await deploy()
  const bare = async (hash: Hex) =>
    concat(await Promise.all(keys.slice(0, threshold).map((key) => key.sign({ hash }))))
  const sign = async (hash: Hex) =>
    (await isDeployed())
      ? bare(hash)
      : serializeErc6492Signature({
          address: CREATE2_DEPLOYER,
          data: deployment,
          signature: await bare(hash),
        })
  let nonce = 0n
  return {
    address,
    signMessage: (raw) => sign(hashMessage({ raw })),
    signTypedData: (json) => sign(typedDataHash(json)),
    async send({ to, data }) {
      if (!(await isDeployed())) await deploy()
      const hash = keccak256(
        encodeAbiParameters(
          [
            { type: 'address' },
            { type: 'uint256' },
            { type: 'uint256' },
            { type: 'address' },
            { type: 'bytes' },
          ],
          [address, BigInt(devChain.id), nonce++, to, data],
        ),
      )
      const args = [to, data, await bare(hash)] as const
      return mined(
        await relayer.sendTransaction({
          to: address,
          data: encodeFunctionData({ abi: ABI, functionName: 'execute', args }),
        }),
      )
    },
  }
}

/** An account of a key; with `delegated`, the contract's code runs at its address, too (EIP-7702). */
export async function newKeyAccount(rpcUrl: string, delegated = false): Promise<SigningAccount> {
  const { chain, relayer, fund, mined } = clientsOf(rpcUrl)
  const key = privateKeyToAccount(generatePrivateKey())
  await fund(key.address)
  if (delegated) {
    await fund(relayer.account.address)
    const { abi, bytecode } = walletCode()
    const deployed = await chain.waitForTransactionReceipt({
      hash: await relayer.sendTransaction({ data: encodeDeployData({ abi, bytecode, args: [[], 1] }) }),
    })
    const authorization = await relayer.signAuthorization({
      account: key,
      contractAddress: deployed.contractAddress as Hex,
    })
    await mined(
      await relayer.sendTransaction({ to: relayer.account.address, authorizationList: [authorization] }),
    )
    if (size((await chain.getCode({ address: key.address })) ?? '0x') !== 23) throw new Error('not delegated')
  }
  const own = createWalletClient({ account: key, chain: devChain, transport: http(rpcUrl) })
  return {
    address: key.address,
    signMessage: (raw) => key.signMessage({ message: { raw } }),
    signTypedData: (json) => key.signTypedData(JSON.parse(json)),
    send: async (call) => mined(await own.sendTransaction(call)),
  }
}
