import type { PublishedEvent } from '#lib/chain/published-event.ts'
import type { BuiltConnector } from '#lib/protocol/artifact.ts'
import { connectorSteps } from '#lib/protocol/creation-checks.ts'
import type { Address, Hash, UnverifiedReason } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { ArtifactStore, type Labels } from './artifact-store.ts'
import type { ChainSource, DeployedEntity, Header } from './chain-source.ts'
import type { Pause } from './pause.ts'
import { addressesOf, parseConnector, type Verdict, type VerifiedConnector, verify } from './verify.ts'
import type { Writer } from './writer.ts'

/** Result of verifying a publication. */
export type Outcome =
  | {
      readonly verified: true
      readonly formatHash: Hash | null
      /** Set for the first connector of a format. */
      readonly labels?: Labels | undefined
    }
  | { readonly verified: false; readonly reason: UnverifiedReason }

export interface VerifyContext {
  readonly source: ChainSource
  readonly writer: Pick<Writer, 'transaction'>
  readonly pause: Pause
}

/**
 * Verifies publications against deployed code, in pages, and stores the artifacts of verified ones. Artifacts are
 * content-addressed, so those of a batch that is not projected after all are harmless. Runs outside the transaction of
 * the batch: no database lock is held while a node answers or code is hashed.
 *
 * @param events In chain order; a connector may name what stands before it.
 * @param last Block up to which the events go.
 * @returns undefined when the node's chain does not contain that block.
 */
export async function verifyPublications(
  ctx: VerifyContext,
  events: readonly PublishedEvent[],
  last: Pick<Header, 'number' | 'hash'>,
): Promise<Outcome[] | undefined> {
  const outcomes: Outcome[] = []
  const store = new ArtifactStore(ctx.writer)
  for await (const deployed of ctx.source.deployed(events)) {
    const piece = events.slice(outcomes.length, outcomes.length + deployed.length)
    const verified = await verifyPiece(ctx, store, piece, deployed)
    const failed = piece.filter((_, i) => !verified[i]?.verified)
    if (failed.length > 0) {
      // The node may be behind or on another branch, so missing code counts only together with the event's block.
      const again = await ctx.source.deployedWith(last, failed)
      if (again === undefined) return undefined
      const reread = new Map(failed.map((event, i) => [event, again[i] as DeployedEntity]))
      const confirmed = piece.map((event, i) => reread.get(event) ?? (deployed[i] as DeployedEntity))
      verified.splice(0, verified.length, ...(await verifyPiece(ctx, store, piece, confirmed)))
    }
    const formatHashes = await store.formatHashes(piece.map(({ contentHash }) => contentHash))
    for (const [i, verdict] of verified.entries()) {
      const event = piece[i] as PublishedEvent
      outcomes.push(await accept(ctx, store, event, verdict, formatHashes.get(event.contentHash)))
    }
  }
  await store.flush()
  return outcomes
}

async function verifyPiece(
  { pause }: VerifyContext,
  store: ArtifactStore,
  piece: readonly PublishedEvent[],
  deployed: readonly DeployedEntity[],
): Promise<Verdict[]> {
  const addresses = new Set<Address>()
  for (const [i, { kind }] of piece.entries()) {
    const code = kind === 'connector' ? parseConnector((deployed[i] as DeployedEntity).code) : undefined
    if (code) for (const { address } of addressesOf(code)) addresses.add(address)
    await pause()
  }
  const registered = await store.registered(addresses)
  const verdicts: Verdict[] = []
  for (const [i, event] of piece.entries()) {
    const verdict = verify(event, deployed[i] as DeployedEntity, (address) => registered.get(address))
    const { kind, name, contentHash } = event
    if (verdict.verified) registered.set(event.address, { kind, name, contentHash })
    verdicts.push(verdict)
    await pause()
  }
  return verdicts
}

async function accept(
  ctx: VerifyContext,
  store: ArtifactStore,
  event: PublishedEvent,
  verdict: Verdict,
  storedFormat: Hash | null | undefined,
): Promise<Outcome> {
  if (!verdict.verified) return verdict
  if (storedFormat !== undefined) {
    store.register(event)
    return withLabels(store, storedFormat, event)
  }
  const { content } = verdict
  const artifact =
    content.kind === 'connector' ? await build(ctx, store, content, event.contentHash) : content
  await ctx.pause()
  if (artifact === undefined) return { verified: false, reason: 'content_mismatch' }
  await store.add(artifact)
  store.register(event)
  if (artifact.kind !== 'connector') return { verified: true, formatHash: null }
  return withLabels(store, artifact.formatHash, artifact)
}

async function withLabels(
  store: ArtifactStore,
  formatHash: Hash | null,
  connector: { readonly contentHash: Hash } | BuiltConnector,
): Promise<Outcome> {
  return {
    verified: true,
    formatHash,
    labels: formatHash === null ? undefined : await store.newLabels(formatHash, connector),
  }
}

/** @returns undefined for a connector that violates a rule of the registry. */
async function build(
  { pause }: VerifyContext,
  store: ArtifactStore,
  { definition, dependencies }: VerifiedConnector,
  contentHash: Hash,
): Promise<BuiltConnector | undefined> {
  try {
    const steps = connectorSteps(definition, await store.parts(dependencies), contentHash)
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      await pause()
    }
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
