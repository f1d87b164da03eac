import type { Context } from '../../context.ts'
import type { Artifact } from '../../domain/artifact.ts'
import { encodePayload } from '../../domain/payload.ts'
import type { Reference } from '../../domain/references.ts'
import { defineOperation } from '../../http/operation.ts'
import { readArtifacts } from '../../preview/read-artifacts.ts'
import { type ArtifactsAnswer, artifactsAnswer, artifactsRequest } from './artifacts-schemas.ts'

const NOT_OURS = 'The request does not come from a page of this site'

const shared = { api: 'studio', method: 'POST', tag: 'preview', cors: 'session' } as const

const reading = {
  ...shared,
  request: { body: artifactsRequest },
  responses: { 200: { description: 'What can be read, and all it stands on', schema: artifactsAnswer } },
  failures: {
    400: 'Bad request, or more than a browser is sent',
    403: NOT_OURS,
    503: 'Something cannot be rebuilt yet',
  },
} as const

export const postArtifacts = defineOperation({
  ...reading,
  id: 'POST_artifacts',
  path: '/artifacts',
  summary: 'Read what browsers run by themselves, as a visitor',
  description: 'Published entities down to their code. Names that cannot be read are left out.',
  auth: 'none',
  limit: 'run',
  handler: async (ctx, { body }) => ({ status: 200, body: await read(ctx, body.names) }),
})

export const postOwnArtifacts = defineOperation({
  ...reading,
  id: 'POST_ownArtifacts',
  path: '/own-artifacts',
  summary: 'Read what browsers run by themselves, as the account that is signed in',
  description: "Published entities and the account's own drafts. Other people's drafts are left out.",
  auth: 'session',
  limit: 'run',
  handler: async (ctx, { body }) => ({ status: 200, body: await read(ctx, body.names) }),
})

export const postPreviewDifference = defineOperation({
  ...shared,
  id: 'POST_previewDifference',
  path: '/preview-differences',
  summary: 'Tell that a browser made other particles than the server',
  description: 'Only counted, with all requests, so that whoever runs the site learns that it happens.',
  auth: 'none',
  limit: 'run',
  request: {},
  responses: { 204: { description: 'Counted' } },
  failures: { 403: NOT_OURS },
  handler: async () => ({ status: 204 }),
})

async function read(ctx: Context, wanted: readonly Reference[]): Promise<ArtifactsAnswer> {
  const { names, artifacts } = await readArtifacts(ctx, wanted)
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
        dependencies: artifact.dependencies.map((used) => used.contentHash),
        content_hash: contentHash,
      }
    : { kind, name, args_count: artifact.argsCount, runtime: artifact.runtime, content_hash: contentHash }
}
