import { isErc6492Signature, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { VerifiedChain } from '#lib/chain/access.ts'
import { type CallOutcome, evmCall } from '#lib/chain/evm-call.ts'
import { passkeyFactory } from '#lib/chain/passkey-factory.ts'
import { readProvider } from '#lib/chain/provider.ts'
import { decodePublish, encodePublishBatch, type Publication } from '#lib/chain/publication-calldata.ts'
import { registryNonce } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import {
  accountNonces,
  type ChainHead,
  chainHead,
  estimateGas,
  type Fees,
  readTransaction,
  revertReason,
  suggestFees,
} from '#lib/core/entities/publication/chain-state.ts'
import { publicationChain } from '#lib/core/entities/publication/preconditions.ts'
import { dataFee } from '#lib/core/entities/publication/publication-costs.ts'
import { findPublication, type PublicationKey, recordStage } from '#lib/core/entities/publication/records.ts'
import { broadcast } from '#lib/core/entities/publication/send.ts'
import {
  findSponsored,
  notSponsored,
  recordDropped,
  reserve,
  sponsorAddress,
} from '#lib/core/entities/publication/sponsor-budget.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import { isAssertedOn, parseSignature } from '#lib/core/identity/verify-signature.ts'
import { recordAct } from '#lib/platform/db/audit.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { encodeCreateAndCall, passkeyAddress, readCreation } from '#lib/protocol/passkey.ts'
import { settle } from './settle.ts'

export interface SponsoredInput {
  /** Items that the caller signed, in any order: the stored preparations are what is published. */
  readonly items: readonly {
    readonly kind: EntityKind
    readonly name: string
    readonly contentHash: Hash
  }[]
  /** The owner's EIP-712 signature of the batch, hex; of a passkey account not created yet as ERC-6492 has it. */
  readonly signature: string
}

/** Gas for the owner's signature: a key takes 3,000, a new passkey account with its curve in Solidity some 350,000. */
const SIGNATURE_GAS = 500_000n
/** Seconds that a plan must still be valid for. */
const LEAST_SECONDS = 60
const MAX_ATTEMPTS = 3

/**
 * Publishes a plan of the caller in one transaction that the operator pays for. The caller's signature decides what is
 * published: only stored preparations can be, and the registry checks the signature. It is simulated before it is paid
 * for. An account of passkeys is created by the same transaction. Idempotent: a plan that is on its way or mined returns its transaction.
 *
 * @returns the hash of the transaction.
 * @throws Failure with the code of the first check that fails, in the order below; 'conflict' where the sponsor's
 *   budget or funds do not cover it.
 */
export async function publishSponsored(ctx: Context, input: SponsoredInput): Promise<Hash> {
  const owner = requireCaller(ctx)
  const { key } = ctx.config.sponsor
  if (key === undefined) throw notSponsored('This site does not pay for publications.')
  const signature = parseSignature(input.signature)
  if (signature === undefined) refuse('Invalid signature: it must be hex, at most 4096 bytes')
  const { keys, publications, gas: preparedGas } = await readPlan(ctx, owner, input)
  const planHash = keccak256(encodePublishBatch(publications))
  const chain = await publicationChain(ctx)

  const previous = await findSponsored(ctx, owner, planHash)
  if (previous !== undefined) {
    if (previous.raw !== null && (await readTransaction(chain.public, previous.txHash)) === undefined) {
      await broadcast(chain, previous.txHash, previous.raw)
    }
    return previous.txHash
  }

  const from = sponsorAddress(key)
  const [head, nonce] = await Promise.all([chainHead(chain.public), registryNonce(chain, owner)])
  await settle(ctx, chain, from, head)
  const first = publications[0] as Publication
  if (first.deadline < head.timestamp + BigInt(LEAST_SECONDS))
    refuse('The plan has expired: prepare it again')
  if (first.nonce !== nonce) {
    refuse(`Publication nonce ${first.nonce} is not the owner's next one, ${nonce}: prepare again`)
  }
  const call = { from, ...(await callOf(ctx, chain, owner, publications, signature)) }
  const gas = await simulate(chain, head, call, preparedGas + SIGNATURE_GAS)
  await requireNotOvertaken(chain, { ...call, gas })
  const fees = await suggestFees(chain.public, head)
  // The fee for its data may grow until it is mined.
  const reserved = gas * fees.maxFeePerGas + 2n * (await dataFee(chain, call.data))
  const deadline = Number(first.deadline)
  const reservation = {
    sponsor: from,
    owner,
    planHash,
    publications: publications.length,
    deadline,
    reserved,
  }
  const sign = (nonce: number) => signCall(key, chain, { to: call.to, data: call.data, gas, nonce, ...fees })

  for (let attempt = 1; ; attempt++) {
    const { txHash, raw } = await reserve(ctx, reservation, () => readAccount(chain, from), sign)
    await recordAct(ctx.db.orm, {
      at: ctx.clock(),
      actor: from,
      act: 'sponsor_publication',
      subject: txHash,
      reason: `${publications.length} of ${owner}, at most ${reserved} wei`,
    })
    try {
      await broadcast(chain, txHash, raw)
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'chain_unavailable') throw error
      await recordDropped(ctx, txHash, 0n)
      // Another program used the nonce.
      if (error.code === 'nonce_conflict' && attempt < MAX_ATTEMPTS) continue
      throw error
    }
    for (const each of keys) await recordStage(ctx, each, { stage: 'pending', txHash })
    return txHash
  }
}

function refuse(message: string): never {
  throw new Failure('invalid_request', message)
}

/** The stored preparations of the items, in the order of their nonces. */
async function readPlan(
  ctx: Context,
  owner: Address,
  { items }: SponsoredInput,
): Promise<{ keys: PublicationKey[]; publications: Publication[]; gas: bigint }> {
  const keys = items.map(({ kind, name, contentHash }) => ({ kind, name, owner, contentHash }))
  const records = await Promise.all(keys.map((key) => findPublication(ctx, key)))
  let gas = 0n
  const publications = records.map((record, index) => {
    const prepared = record && decodePublish(record.calldata)?.publication
    if (prepared === undefined) {
      return refuse(`${keys[index]?.name} was not prepared on this server: prepare it first`)
    }
    gas += record?.gas ?? 0n
    return prepared
  })
  publications.sort((a, b) => Number(a.nonce - b.nonce))
  const [first] = publications
  const together = publications.every(
    ({ nonce, deadline }, index) =>
      first !== undefined && nonce === first.nonce + BigInt(index) && deadline === first.deadline,
  )
  if (first === undefined || !together) refuse('These were not prepared together: prepare them as one plan')
  return { keys, publications, gas }
}

/**
 * The call that publishes: of the registry, or, where the owner is a passkey account that does not exist yet, of the factory,
 * which creates it before.
 */
async function callOf(
  ctx: Context,
  chain: VerifiedChain,
  owner: Address,
  publications: readonly Publication[],
  signature: Hex,
): Promise<{ readonly to: Address; readonly data: Hex }> {
  const { registry } = chain
  if (!isAssertedOn(ctx.config.allowedOrigins, signature)) refuse('The passkey was used on another site')
  if (!isErc6492Signature(signature))
    return { to: registry, data: encodePublishBatch(publications, signature) }
  const factory = await passkeyFactory(chain)
  const creation = factory && readCreation(factory, signature)
  if (factory === undefined || creation === undefined) {
    refuse('This site creates accounts of passkeys only: deploy the wallet first, then sign again')
  }
  if (passkeyAddress(factory, creation.origin) !== owner) refuse('The signature is of another account')
  const data = encodePublishBatch(publications, creation.signature)
  const code = await readProvider('read the code', () => chain.public.getCode({ address: owner }))
  if (code !== undefined && code !== '0x') return { to: registry, data }
  return { to: factory, data: encodeCreateAndCall(creation.origin, registry, data) }
}

/** @throws Failure('registry_conflict') where a name is taken, Failure('invalid_request') */
function refuseOutcome(outcome: Extract<CallOutcome, { ok: false }>): never {
  const { name, message } = revertReason(outcome)
  if (name.endsWith('AlreadyRegistered')) {
    throw new Failure('registry_conflict', `A name is taken: ${message}`)
  }
  if (name === 'InvalidSignature')
    refuse('The signature is not the owner’s signature of this plan: sign again')
  return refuse(`The transaction would fail: ${message}`)
}

/**
 * Runs the transaction as `eth_call` and estimates its gas.
 *
 * @param most Gas beyond which it is refused.
 * @returns its gas limit.
 */
async function simulate(
  chain: VerifiedChain,
  head: ChainHead,
  call: { readonly from: Address; readonly to: Address; readonly data: Hex },
  most: bigint,
): Promise<bigint> {
  const { maxTransactionGas } = chainFacts(chain.chainId)
  const cap = [most, head.gasLimit, maxTransactionGas ?? most].reduce((a, b) => (a < b ? a : b))
  const outcome = await evmCall(chain.public, { ...call, gas: cap })
  if (!outcome.ok) refuseOutcome(outcome)
  const estimate = await estimateGas(chain, call)
  // Some nodes estimate after the transactions that wait, which may take a name.
  if (!estimate.ok) refuseOutcome(estimate)
  if (estimate.gas > cap) refuse(`It needs ${estimate.gas} gas; this site pays for at most ${cap}`)
  const padded = (estimate.gas * 6n) / 5n
  return padded < cap ? padded : cap
}

/**
 * Runs the transaction after those that wait to be mined: where one of them publishes a name first, it would revert at the
 * sponsor's expense. Nodes that do not show them are not asked again.
 *
 * @throws Failure('registry_conflict')
 */
async function requireNotOvertaken(
  chain: VerifiedChain,
  call: { readonly from: Address; readonly to: Address; readonly data: Hex; readonly gas: bigint },
): Promise<void> {
  const outcome = await evmCall(chain.public, { ...call, block: 'pending' }).catch(() => undefined)
  if (outcome === undefined || outcome.ok) return
  if (revertReason(outcome).name.endsWith('AlreadyRegistered')) refuseOutcome(outcome)
}

async function readAccount(
  chain: VerifiedChain,
  address: Address,
): Promise<{ nonce: bigint; balance: bigint }> {
  const [{ pending }, balance] = await Promise.all([
    accountNonces(chain.public, address),
    readProvider('read the balance', () => chain.public.getBalance({ address })),
  ])
  return { nonce: pending, balance }
}

async function signCall(
  key: Hex,
  chain: VerifiedChain,
  fields: Fees & { readonly to: Address; readonly data: Hex; readonly gas: bigint; readonly nonce: number },
): Promise<{ txHash: Hash; raw: Hex }> {
  const raw = await privateKeyToAccount(key).signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    value: 0n,
    ...fields,
  })
  return { txHash: keccak256(raw), raw }
}
