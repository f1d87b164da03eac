import {
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  type LocalAccount,
  type TransactionReceipt,
} from 'viem'
import type { Deployer } from '#lib/chain/create2-deployer.ts'
import {
  encodePublish,
  encodePublishBatch,
  NO_METADATA,
  type Publication,
} from '#lib/chain/publication-calldata.ts'
import { batchTypedData, publicationTypedData } from '#lib/chain/publication-typed-data.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import { devChain } from '../stack/dev-chain.ts'

/** More gas than any transaction here takes; a development chain accepts it, and nothing is estimated first. */
const GAS = 10_000_000_000n

/** Publishes by transactions of an account, without a server. */
export interface Publisher {
  /** @throws Error when the transaction reverts. */
  send(to: Hex, data: Hex): Promise<TransactionReceipt>
  /** @throws Error when the registry refuses the artifact, or lacks one that it names. */
  publish(artifact: Artifact): Promise<TransactionReceipt>
  /** Publishes in one transaction. @throws Error when the registry refuses any of them. */
  publishBatch(artifacts: readonly Artifact[]): Promise<TransactionReceipt>
}

/** An account on a development chain, ready to deploy and to publish. */
export function deployerOn(url: string, account: LocalAccount): Deployer {
  const transport = http(url, { timeout: 120_000 })
  return {
    account,
    walletClient: createWalletClient({ chain: devChain, transport, account }),
    publicClient: createPublicClient({ chain: devChain, transport, pollingInterval: 10 }),
  }
}

/**
 * @param registry on which the owner has published nothing yet.
 * @param owner Signs the publications that the account sends. Default: the account itself, which signs only transactions.
 */
export function publisherFor(
  { account, walletClient, publicClient }: Deployer,
  registry: Address,
  owner?: LocalAccount,
): Publisher {
  const domain = { registry, chainId: devChain.id }
  const signed = async (data: Parameters<LocalAccount['signTypedData']>[0]): Promise<Hex> =>
    owner === undefined ? '0x' : owner.signTypedData(data)
  let nonce = 0n
  const send = async (to: Hex, data: Hex): Promise<TransactionReceipt> => {
    const hash = await walletClient.sendTransaction({ account, chain: devChain, to, data, gas: GAS })
    const receipt = await publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
    return receipt
  }
  const next = (artifact: Artifact): Publication => ({
    kind: artifact.kind,
    name: artifact.name,
    owner: (owner ?? account).address,
    contentHash: artifact.contentHash,
    nonce: nonce++,
    deadline: 2n ** 40n,
    payload: encodePayload(artifact),
    metadata: NO_METADATA,
  })
  return {
    send,
    async publish(artifact) {
      const publication = next(artifact)
      const signature = await signed(publicationTypedData(publication, domain))
      return send(registry, encodePublish(publication, signature)).catch((cause: unknown) => {
        throw new Error(`publishing ${artifact.name} failed`, { cause })
      })
    },
    async publishBatch(artifacts) {
      const publications = artifacts.map(next)
      return send(
        registry,
        encodePublishBatch(publications, await signed(batchTypedData(publications, domain))),
      )
    },
  }
}
