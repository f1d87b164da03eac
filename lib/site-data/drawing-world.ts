import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import type { WorldNeeds } from '../domain/world-compatibility.ts'
import type { FramedWorld } from '../ui/world/framed-world.ts'
import { getWorld, getWorldBySlug } from '../worlds/get-world.ts'
import { framedWorld } from './world.ts'

/** A World that draws a run of some page: beside another World, or on the page of the run. */
export interface DrawingWorld {
  readonly slug: string
  readonly framed: FramedWorld
  readonly needs: WorldNeeds
}

/**
 * Undefined when there is no such World.
 *
 * @param named Slug or id.
 * @throws What the database throws when it cannot be read.
 */
export async function drawingWorld(ctx: Context, named: string): Promise<DrawingWorld | undefined> {
  // No slug has an underscore.
  const found = named.includes('_') ? getWorld(ctx, named) : getWorldBySlug(ctx, named)
  const world = await found.catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  })
  if (world === undefined) return undefined
  const { slug, acceptedFormatHashes, acceptedConnectorSets } = world.manifest
  return { slug, framed: framedWorld(ctx, world), needs: { acceptedFormatHashes, acceptedConnectorSets } }
}
