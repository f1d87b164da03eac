import type { Context } from '#lib/core/context/context.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import type { Reference } from '#lib/protocol/references.ts'
import { type ArtifactsAnswer, readRunnable } from '#lib/server/operations/studio/artifacts.ts'
import { type EntitiesAnswer, readEntityWires } from '#lib/server/operations/studio/entities.ts'
import { type PluginWorld, pluginVersion, pluginWorld } from './gallery.ts'

/** Data of the site that a player needs. Plain, and sent with the page that plays. */
export interface LiveParts {
  readonly entities: EntitiesAnswer
  readonly names: readonly Reference[]
  readonly artifacts: ArtifactsAnswer
  /** The World that draws it; undefined where there is none, or not in the version of the piece. */
  readonly world: PluginWorld | undefined
}

/** Pieces of more parts, or of more characters of code, are read by their players. */
const MAX_PARTS = 64
const MAX_CODE = 512 * 1024

/**
 * Reads all that a player of a connector needs.
 *
 * @param worldId Id of a World that draws it in place of its own.
 * @returns undefined where the data is too large to send with a page.
 * @throws Errors of the database.
 */
export async function liveParts(
  ctx: Context,
  name: string,
  present: Presentation | undefined,
  worldId: string | undefined,
): Promise<LiveParts | undefined> {
  const root = { kind: 'connector', name } as const
  const tree = await readRunnable(ctx, [root])
  const code = tree.artifacts.reduce((sum, artifact) => sum + codeOf(artifact).length, 0)
  if (tree.artifacts.length > MAX_PARTS || code > MAX_CODE) return undefined
  const references = new Map(tree.artifacts.map(({ kind, name }) => [`${kind}/${name}`, { kind, name }]))
  const names = [
    root,
    ...[...references.values()].filter((each) => each.kind !== 'connector' || each.name !== name),
  ]
  const own = present?.world
  const [artifacts, entities, world] = await Promise.all([
    // By name, as parts may have been revised since.
    readRunnable(ctx, names),
    readEntityWires(ctx, { names: names.filter(({ kind }) => kind === 'connector') }),
    worldId === undefined
      ? own && pluginVersion(ctx, own.bundle_hash, own.slug)
      : pluginWorld(ctx, worldId).then((world) => world && ({ found: 'version', world } as const)),
  ])
  return { entities, names, artifacts, world: world?.found === 'version' ? world.world : undefined }
}

function codeOf(artifact: ArtifactsAnswer['artifacts'][number]): string {
  return artifact.kind === 'connector' ? artifact.payload : artifact.runtime
}
