import { z } from 'zod'
import type { Context } from '#lib/core/context/context.ts'
import { readArtifacts } from '#lib/core/entities/slice/read-artifacts.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import { ENTITY_KINDS } from '#lib/protocol/entity.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import type { Reference } from '#lib/protocol/references.ts'
import { entityName } from '../chain/request-schemas.ts'
import { runtimeCode } from './preview-schemas.ts'
import { studioOperation } from './studio-operation.ts'

/* What browsers read to run connectors by themselves. */

const MAX_NAMES = 2000

const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const kind = z.enum(ENTITY_KINDS)
const code = {
  name: z.string(),
  args_count: z.int().min(0),
  runtime: runtimeCode,
  content_hash: hash,
}

const artifactsRequest = z.strictObject({
  names: z.array(z.strictObject({ kind, name: entityName })).max(MAX_NAMES),
})

const artifactsAnswer = z.strictObject({
  names: z.array(z.strictObject({ kind, name: z.string(), content_hash: hash })),
  artifacts: z.array(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('transformation'), ...code }),
      z.strictObject({ kind: z.literal('condition'), ...code }),
      z.strictObject({
        kind: z.literal('connector'),
        name: z.string(),
        /** As published: the ABI encoding of the definition. */
        payload: runtimeCode,
        /** Content hashes of everything named, in the order in which the registry resolves it, repeats included. */
        dependencies: z.array(hash),
        content_hash: hash,
      }),
    ]),
  ),
})

export type ArtifactsRequest = z.input<typeof artifactsRequest>
export type ArtifactsAnswer = z.output<typeof artifactsAnswer>

export const postArtifacts = studioOperation({
  id: 'POST_artifacts',
  path: '/artifacts',
  auth: 'optional',
  summary: 'Read artifacts that browsers can run',
  description:
    "Published entities down to their code, and the signed-in account's own drafts. Names that cannot be read are left out.",
  limit: 'run',
  request: { body: artifactsRequest },
  responses: {
    200: { description: 'The readable entities and all their dependencies', schema: artifactsAnswer },
  },
  failures: {
    400: 'Bad request, or the result exceeds the limit for a browser',
    503: 'Something cannot be rebuilt yet',
  },
  handler: async (ctx, { body }) => ({ body: await readRunnable(ctx, body.names) }),
})

/** Returns what browsers need to run entities. */
export async function readRunnable(ctx: Context, references: readonly Reference[]): Promise<ArtifactsAnswer> {
  const { names, artifacts } = await readArtifacts(ctx, references)
  return {
    names: names.map(({ kind, name, contentHash }) => ({ kind, name, content_hash: contentHash })),
    artifacts: artifacts.map(artifactWire),
  }
}

function artifactWire(artifact: Artifact): ArtifactsAnswer['artifacts'][number] {
  const { kind, name, contentHash } = artifact
  return kind === 'connector'
    ? {
        kind,
        name,
        payload: encodePayload(artifact),
        dependencies: artifact.dependencies.map((dependency) => dependency.contentHash),
        content_hash: contentHash,
      }
    : { kind, name, args_count: artifact.argsCount, runtime: artifact.runtime, content_hash: contentHash }
}
