import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalAccount } from 'viem'
import { MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import type { ServicesClient } from '../world-kit/services-client.ts'
import { folderManifest } from '../world-kit/world-folder.ts'

interface SampleWorld {
  readonly folder: string
  readonly slug: string
  readonly version: string
}

const SAMPLES = fileURLToPath(new URL('../../worlds/', import.meta.url))

/** Worlds in `worlds/`, with their parsed manifests. @throws Error that names a folder whose manifest is invalid. */
export function sampleWorlds(): readonly SampleWorld[] {
  const folders = readdirSync(SAMPLES).filter((name) => existsSync(join(SAMPLES, name, MANIFEST_PATH)))
  return folders.map((name) => {
    const folder = join(SAMPLES, name)
    const { slug, version } = folderManifest(folder)
    return { folder, slug, version }
  })
}

/**
 * Publishes what is missing of the sample Worlds through the services API, as any client would, and replaces those of
 * another version. Safe to repeat; Worlds of other accounts at these slugs are left alone.
 *
 * @returns hashes of the bundles at their slugs.
 * @throws Error that names the World and what the API answered.
 */
export async function publishSampleWorlds(
  { address }: Pick<LocalAccount, 'address'>,
  client: ServicesClient,
): Promise<ReadonlyMap<string, string>> {
  const bundles = new Map<string, string>()
  for (const { folder, slug, version } of sampleWorlds()) {
    const published = await client.find(slug)
    if (published && (published.ownerId !== address || published.version === version)) {
      bundles.set(slug, published.bundleHash)
      continue
    }
    try {
      bundles.set(slug, (await client.publish(folder, published)).bundleHash)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : cause
      throw new Error(`Could not publish the World ${slug}: ${reason}`, { cause })
    }
  }
  return bundles
}
