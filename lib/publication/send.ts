import type { ChainAccess } from '../chain/access.ts'
import { evmCall } from '../chain/evm-call.ts'
import { chainUnavailable, NodeRefusal, readProvider, viaProvider } from '../chain/provider.ts'
import { decodePublish, type Publication } from '../chain/publication-calldata.ts'
import {
  InvalidTransaction,
  parseSignedTransaction,
  type SignedTransaction,
} from '../chain/raw-transaction.ts'
import { registryNonce } from '../chain/registry-reads.ts'
import type { Context } from '../context.ts'
import type { EntityKind, Hash, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { requireCaller } from '../identity/require-caller.ts'
import { accountNonces, chainHead } from './chain-state.ts'
import { intrinsicGas } from './intrinsic-gas.ts'
import { readTransaction } from './read-transaction.ts'
import { requirePublication } from './require-publication.ts'
import { revertReason } from './revert-reason.ts'
import { findPublication, type PublicationRecord, recordStage } from './storage.ts'

export interface SendInput {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  /** `0x02 || rlp(…)`. */
  readonly rawTx: string
}

/**
 * Relays a publication that its owner signed. Nothing is broadcast unless it is exactly the prepared publication and
 * would succeed now. A transaction that the node already knows is an answer, not an error, so that a client may
 * repeat the request.
 *
 * @returns the hash of the transaction.
 * @throws Failure with the code of the first check that fails, in the order below.
 */
export const send = async (ctx: Context, input: SendInput): Promise<Hash> => {
  const chain = requirePublication(ctx)
  const caller = requireCaller(ctx)

  const tx = await parse(input.rawTx)
  if (tx.from !== caller) {
    throw new Failure(
      'forbidden',
      `The transaction is signed by ${tx.from}, not by the account that is logged in`,
    )
  }
  await chain.verify()
  const publication = readPublication(chain, tx)
  const key = { kind: input.kind, name: input.name, owner: caller, contentHash: input.contentHash }
  checkIdentity(publication, key)
  const record = await findPublication(ctx, key)
  checkAgainstRecord(publication, record)

  if ((await readTransaction(chain.public, tx.hash)) === undefined) {
    await checkSendable(chain, tx, publication)
    await broadcast(chain, tx, input.rawTx as Hex)
  }
  await recordStage(ctx, key, { stage: 'pending', txHash: tx.hash })
  return tx.hash
}

function refuse(message: string): never {
  throw new Failure('invalid_request', message)
}

const parse = async (rawTx: string): Promise<SignedTransaction> => {
  try {
    return await parseSignedTransaction(rawTx)
  } catch (error) {
    if (error instanceof InvalidTransaction) refuse(error.message)
    throw error
  }
}

/** The transaction calls `publish` of the configured registry on the configured chain, and does nothing besides. */
const readPublication = (chain: ChainAccess, tx: SignedTransaction): Publication => {
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

const checkIdentity = (
  publication: Publication,
  key: { kind: EntityKind; name: string; owner: string; contentHash: Hash },
): void => {
  const { kind, name, owner, contentHash } = publication
  if (kind !== key.kind) refuse(`The transaction publishes a ${kind}, not a ${key.kind}`)
  if (name !== key.name) refuse('The transaction publishes another name')
  if (owner !== key.owner) refuse('The transaction publishes for another owner')
  if (contentHash !== key.contentHash) refuse('The transaction publishes another content hash')
}

/** The content hash settles what is published, so the rest of a publication of it is settled as well. */
function checkAgainstRecord(publication: Publication, record: PublicationRecord | undefined): void {
  const prepared = record && decodePublish(record.calldata)?.publication
  if (prepared === undefined) refuse('This publication was not prepared on this server: prepare it first')
  if (publication.metadata !== prepared.metadata) refuse('The transaction has other metadata')
  if (publication.payload !== prepared.payload) refuse('The transaction has another payload')
}

/** Everything that depends on the state of the chain, so that what is broadcast will be mined and succeed. */
const checkSendable = async (
  chain: ChainAccess,
  tx: SignedTransaction,
  publication: Publication,
): Promise<void> => {
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
  const cost = tx.gas * tx.maxFeePerGas
  if (balance < cost)
    refuse(`Insufficient funds: the account holds ${balance} wei, the transaction may cost ${cost}`)

  const outcome = await evmCall(chain.public, { from: tx.from, to: tx.to, data: tx.data, gas: tx.gas })
  if (outcome.ok) return
  const { name, message } = revertReason(outcome)
  if (name === 'OutOfGas') refuse(`Too little gas: the publication does not fit into ${tx.gas}`)
  refuse(`The transaction would revert: ${message}`)
}

const broadcast = async (chain: ChainAccess, tx: SignedTransaction, rawTx: Hex): Promise<void> => {
  try {
    await viaProvider('broadcast the transaction', () =>
      chain.public.request({ method: 'eth_sendRawTransaction', params: [rawTx] }),
    )
  } catch (error) {
    // The answer may be lost, or come from a node that got the transaction a moment ago: what counts is that it is there.
    if (await readTransaction(chain.public, tx.hash).catch(() => undefined)) return
    if (error instanceof NodeRefusal) throw refusedByNode(error)
    throw error
  }
}

/** Codes that nodes use for what has nothing to do with the transaction. */
const NODE_TROUBLE: readonly number[] = [-32603, -32601, -32002, -32001]

const refusedByNode = (refusal: NodeRefusal): Failure => {
  const { code, message } = refusal.error
  if (/nonce.*(low|used|known)|underpriced|replacement/i.test(message)) {
    return new Failure('nonce_conflict', `The account nonce is used or pending (${message}): prepare again`)
  }
  if (NODE_TROUBLE.includes(code)) return chainUnavailable('broadcast the transaction', refusal)
  return new Failure('invalid_request', `The chain refused the transaction: ${message}`)
}
