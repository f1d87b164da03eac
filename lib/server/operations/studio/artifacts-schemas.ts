import { z } from 'zod'
import { ENTITY_KINDS } from '../../../protocol/entity.ts'
import { entityName } from '../chain/request-schemas.ts'
import { runtimeCode } from './preview-schemas.ts'

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

export const artifactsRequest = z.strictObject({
  names: z.array(z.strictObject({ kind, name: entityName })).max(MAX_NAMES),
})

export const artifactsAnswer = z.strictObject({
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
