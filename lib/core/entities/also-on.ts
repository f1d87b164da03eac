import type { Context } from '#lib/core/context/context.ts'
import { chainPath, chainTitle } from '#lib/platform/further-chains.ts'
import type { EntityKind, Hash } from '#lib/protocol/entity.ts'

/** Another chain of this site on which an entity is published. */
export interface OtherChain {
  readonly chainId: number
  readonly name: string
  /** Path of its page there. */
  readonly path: string
}

/**
 * Returns the other chains of this site that have the same content under the same name; contracts have one address
 * everywhere, so equal content hashes are equal entities. A chain that cannot be read is left out.
 */
export async function alsoOn(
  ctx: Pick<Context, 'chains' | 'config' | 'log'>,
  kind: EntityKind,
  name: string,
  contentHash: Hash,
): Promise<readonly OtherChain[]> {
  const others = ctx.chains.ids.filter((id) => id !== ctx.config.chainId)
  const found = await Promise.all(
    others.map(async (chainId): Promise<OtherChain | undefined> => {
      try {
        const { db, config } = await ctx.chains.on(chainId)
        const rows = await db.sql`
          select 1 from entities where kind = ${kind} and name = ${name} and content_hash = ${contentHash}`
        if (rows.length === 0) return undefined
        const path = `${chainPath(config)}/${kind}s/${name}`
        return { chainId, name: chainTitle(chainId, config.chainName), path }
      } catch (error) {
        ctx.log.warn({ err: error, chain: chainId }, 'Failed to look for an entity on another chain')
        return undefined
      }
    }),
  )
  return found.filter((each) => each !== undefined)
}
