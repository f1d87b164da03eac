import type { Context } from '../context.ts'
import { readManifest } from './bundle/manifest.ts'
import { manifestWarnings } from './bundle/manifest-warnings.ts'
import { publishRefusal } from './upload-world.ts'

/** What is wrong with a manifest by itself, and what could be better. */
export interface ManifestReview {
  /** In the words of a refused upload. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Why no new World can have its slug. */
  readonly refusal: string | undefined
}

/** Holds the text of a manifest against its rules, without its bundle. */
export async function checkManifest(ctx: Pick<Context, 'db'>, text: string): Promise<ManifestReview> {
  const read = readManifest(new TextEncoder().encode(text))
  if ('problems' in read) return { problems: read.problems, warnings: [], refusal: undefined }
  const refusal = await publishRefusal(ctx, { manifest: read.manifest, bundleHash: '' }, undefined)
  return { problems: [], warnings: manifestWarnings(read), refusal: refusal?.message }
}
