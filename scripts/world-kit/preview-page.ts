import { readFileSync } from 'node:fs'

/** The page around a World that is being made. */
export function previewPage(): string {
  return readFileSync(new URL('./preview.html', import.meta.url), 'utf8')
}

/** Its script, for browsers. */
export function previewScript(): string {
  return readFileSync(new URL('./preview.js', import.meta.url), 'utf8')
}
