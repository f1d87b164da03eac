import type { Context } from '../context.ts'
import type { WorldNeeds } from '../domain/world-compatibility.ts'
import type { FramedWorld } from '../ui/world/framed-world.ts'
import { getPreview } from '../worlds/get-preview.ts'
import { type Candidate, type Feeding, feedsFor, framedWorld } from './world.ts'

/** A bundle that is not published, as its World would be met. */
export interface PreviewView {
  readonly framed: FramedWorld
  readonly needs: WorldNeeds
  readonly candidates: readonly Candidate[]
  /** Undefined in an empty network. */
  readonly fed?: Feeding
}

/** Null when there is no such preview any more. @throws What the database throws when it cannot be read. */
export async function previewView(ctx: Context, id: string): Promise<PreviewView | null> {
  const preview = await getPreview(ctx, id)
  if (preview === undefined) return null
  const { acceptedFormatHashes, acceptedConnectorSets } = preview.manifest
  const nothing = { connector: undefined, count: undefined, dynamicRi: [], slots: [] }
  const { candidates, fed } = await feedsFor(ctx, preview, nothing)
  return {
    framed: framedWorld(ctx, preview),
    needs: { acceptedFormatHashes, acceptedConnectorSets },
    candidates,
    ...(fed && { fed }),
  }
}
