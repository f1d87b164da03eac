import type { VerifiedChain } from '#lib/chain/access.ts'
import { evmCall } from '#lib/chain/evm-call.ts'
import { chainUnavailable, NodeRefusal, readProvider, viaProvider } from '#lib/chain/provider.ts'
import { decodePublish, type Publication } from '#lib/chain/publication-calldata.ts'
import {
  InvalidTransaction,
  parseSignedTransaction,
  type SignedTransaction,
} from '#lib/chain/raw-transaction.ts'
import { registryNonce } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import type { EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { accountNonces, chainHead, readTransaction, revertReason } from './chain-state.ts'
import { intrinsicGas } from './estimate-publish-gas.ts'
import { publicationChain } from './preconditions.ts'
import { dataFee } from './publication-costs.ts'
import { findPublication, type PublicationRecord, recordStage } from './records.ts'

export interface SendInput {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  /** `0x02 || rlp(…)`. */
  readonly rawTx: string
}

/**
 * Relays a signed publication. Broadcasts only the prepared publication, and only if it would succeed now. Idempotent:
 * a transaction that the node already knows is a success.
 *
 * @returns the hash of the transaction.
 * @throws Failure with the code of the first check that fails, in the order below.
 */
export async function send(ctx: Context, input: SendInput): Promise<Hash> {
  const caller = requireCaller(ctx)

  const tx = await parse(input.rawTx)
  if (tx.from !== caller) {
    throw new Failure(
      'forbidden',
      `The transaction is signed by ${tx.from}, not by the account that is logged in`,
    )
  }
  const chain = await publicationChain(ctx)
  const publication = readPublication(chain, tx)
  const key = { kind: input.kind, name: input.name, owner: caller, contentHash: input.contentHash }
  checkIdentity(publication, key)
  const record = await findPublication(ctx, key)
  checkAgainstRecord(publication, record)

  if ((await readTransaction(chain.public, tx.hash)) === undefined) {
    await checkSendable(chain, tx, publication)
    await broadcast(chain, tx.hash, input.rawTx as Hex)
  }
  await recordStage(ctx, key, { stage: 'pending', txHash: tx.hash })
  return tx.hash
}

function refuse(message: string): never {
  throw new Failure('invalid_request', message)
}

async function parse(rawTx: string): Promise<SignedTransaction> {
  try {
    return await parseSignedTransaction(rawTx)
  } catch (error) {
    if (error instanceof InvalidTransaction) refuse(error.message)
    throw error
  }
}

/** Decodes a transaction that only calls `publish` of the configured registry on the configured chain. */
function readPublication(chain: VerifiedChain, tx: SignedTransaction): Publication {
  if (tx.chainId !== BigInt(chain.chainId)) {
    refuse(`The transaction is for chain ${tx.chainId}; this server publishes on chain ${chain.chainId}`)
  }
  if (tx.to !== chain.registry) refuse(`The transaction calls ${tx.to}, not the registry ${chain.registry}`)
  if (tx.value !== 0n) refuse('The transaction must have value zero')
  const decoded = decodePublish(tx.data)
  if (decoded === undefined) refuse('The transaction does not call publish of the registry')
  if (decoded.signature !== '0x') {
    refuse('The transaction carries an owner signature; the owner is the sender, so it must be empty')
  }
  if (!decoded.canonical) refuse('The calldata is not the plain encoding of a publication')
  return decoded.publication
}

function checkIdentity(
  publication: Publication,
  key: { kind: EntityKind; name: string; owner: string; contentHash: Hash },
): void {
  const { kind, name, owner, contentHash } = publication
  if (kind !== key.kind) refuse(`The transaction publishes a ${kind}, not a ${key.kind}`)
  if (name !== key.name) refuse('The transaction publishes another name')
  if (owner !== key.owner) refuse('The transaction publishes for another owner')
  if (contentHash !== key.contentHash) refuse('The transaction publishes another content hash')
}

/** The publication must be the prepared one. */
function checkAgainstRecord(publication: Publication, record: PublicationRecord | undefined): void {
  const prepared = record && decodePublish(record.calldata)?.publication
  if (prepared === undefined) refuse('This publication was not prepared on this server: prepare it first')
  if (publication.metadata !== prepared.metadata) refuse('The transaction has other metadata')
  if (publication.payload !== prepared.payload) refuse('The transaction has another payload')
}

/** Checks against the state of the chain that the transaction will be mined and succeed. */
async function checkSendable(
  chain: VerifiedChain,
  tx: SignedTransaction,
  publication: Publication,
): Promise<void> {
  const [head, nonces, publicationNonce, balance] = await Promise.all([
    chainHead(chain.public),
    accountNonces(chain.public, tx.from),
    registryNonce(chain, publication.owner),
    readProvider('read the balance', () => chain.public.getBalance({ address: tx.from })),
  ])

  if (publication.deadline < head.timestamp)
    refuse('The deadline of the publication has passed: prepare again')
  if (tx.nonce < nonces.mined) {
    throw new Failure('nonce_conflict', `Account nonce ${tx.nonce} is already used: prepare again`)
  }
  if (tx.nonce < nonces.pending) {
    throw new Failure(
      'nonce_conflict',
      `Another transaction with account nonce ${tx.nonce} is pending: prepare again when it is mined`,
    )
  }
  if (tx.nonce > nonces.pending) {
    refuse(`Account nonce ${tx.nonce} leaves a gap; the next one is ${nonces.pending}`)
  }
  if (publication.nonce !== publicationNonce) {
    refuse(
      `Publication nonce ${publication.nonce} is not the owner's next one, ${publicationNonce}: prepare again`,
    )
  }

  const least = intrinsicGas(tx.data)
  if (tx.gas < least) refuse(`Too little gas: ${tx.gas}, and the calldata alone costs ${least}`)
  if (tx.gas > head.gasLimit) refuse(`The gas limit ${tx.gas} exceeds that of a block, ${head.gasLimit}`)
  if (tx.maxFeePerGas < (head.baseFeePerGas ?? 0n)) {
    refuse(`maxFeePerGas ${tx.maxFeePerGas} is below the base fee ${head.baseFeePerGas}: prepare again`)
  }
  const cost = tx.gas * tx.maxFeePerGas + (await dataFee(chain, tx.data))
  if (balance < cost)
    refuse(`Insufficient funds: the account holds ${balance} wei, the transaction may cost ${cost}`)

  const outcome = await evmCall(chain.public, { from: tx.from, to: tx.to, data: tx.data, gas: tx.gas })
  if (outcome.ok) return
  const { name, message } = revertReason(outcome)
  if (name === 'OutOfGas') refuse(`Too little gas: the publication does not fit into ${tx.gas}`)
  refuse(`The transaction would revert: ${message}`)
}

/**
 * Sends a signed transaction; one that the node knows already is a success.
 *
 * @throws Failure('nonce_conflict') or Failure('invalid_request') when the node refuses it for good,
 *   Failure('chain_unavailable') when it may have it.
 */
export async function broadcast(chain: VerifiedChain, txHash: Hash, rawTx: Hex): Promise<void> {
  try {
    await viaProvider('broadcast the transaction', () =>
      chain.public.request({ method: 'eth_sendRawTransaction', params: [rawTx] }),
    )
  } catch (error) {
    // The response may be lost, or the node may have the transaction already: both are successes.
    if (await readTransaction(chain.public, txHash).catch(() => undefined)) return
    if (error instanceof NodeRefusal) throw refusedByNode(error)
    throw error
  }
}

/** Error codes of nodes that do not concern the transaction. */
const NODE_TROUBLE: readonly number[] = [-32603, -32601, -32002, -32001]

function refusedByNode(refusal: NodeRefusal): Failure {
  const { code, message } = refusal.error
  if (/nonce.*(low|used|known)|underpriced|replacement/i.test(message)) {
    return new Failure('nonce_conflict', `The account nonce is used or pending (${message}): prepare again`)
  }
  if (NODE_TROUBLE.includes(code)) return chainUnavailable('broadcast the transaction', refusal)
  return new Failure('invalid_request', `The chain refused the transaction: ${message}`)
}
