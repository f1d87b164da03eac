import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import type { WorldNeeds } from '../domain/world-compatibility.ts'
import type { FramedWorld } from '../ui/world/framed-world.ts'
import { getWorldBySlug } from '../worlds/get-world.ts'
import { framedWorld } from './world.ts'

/** A World that draws beside another one what that one is fed with. */
export interface BesideWorld {
  readonly slug: string
  readonly framed: FramedWorld
  readonly needs: WorldNeeds
}

/** Undefined when there is no such World. @throws What the database throws when it cannot be read. */
export async function besideWorld(ctx: Context, slug: string): Promise<BesideWorld | undefined> {
  const world = await getWorldBySlug(ctx, slug).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  })
  if (world === undefined) return undefined
  const { acceptedFormatHashes, acceptedConnectorSets } = world.manifest
  return { slug, framed: framedWorld(ctx, world), needs: { acceptedFormatHashes, acceptedConnectorSets } }
}
