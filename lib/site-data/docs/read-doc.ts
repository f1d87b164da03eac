import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocPage } from './catalog.ts'

/** The markdown of a page as it is kept. @throws Error when the project lacks the file. */
export function readDoc({ source }: DocPage): string {
  return readFileSync(join(/*turbopackIgnore: true*/ process.cwd(), source), 'utf8')
}
