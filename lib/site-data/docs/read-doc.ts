import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getServices } from '../../services.ts'
import type { DocPage } from './catalog.ts'

/** The address of the site in the samples of the kept texts. */
export const SAMPLE_ORIGIN = 'http://localhost:3000'

/**
 * The markdown of a page, its samples with the site's own address. Texts about a site of the reader's own keep theirs.
 *
 * @param origin Scheme, host and port of the site.
 * @throws Error when the project lacks the file.
 */
export function readDoc({ slug, source }: DocPage, origin: string): string {
  const text = readFileSync(join(/*turbopackIgnore: true*/ process.cwd(), source), 'utf8')
  return slug.startsWith('self-hosting') ? text : text.replaceAll(SAMPLE_ORIGIN, origin)
}

/** Scheme, host and port of this site, for texts that need nothing else of its services. */
export async function siteOrigin(): Promise<string> {
  return getServices().then(
    ({ config }) => config.siteOrigin,
    () => SAMPLE_ORIGIN,
  )
}
