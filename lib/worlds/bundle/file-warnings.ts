import { isPage, isScript } from '../mime.ts'
import { isStyleSheet, type ReadFile } from './read-files.ts'

const RUNTIME = 'world-runtime.js'
const SDK_FILES: ReadonlySet<string> = new Set([RUNTIME, 'world-host.js'])

/** Advice about scripts and style sheets, one sentence each. Pages have their own (`page-warnings.ts`). */
export function fileWarnings(files: readonly ReadFile[]): readonly string[] {
  const warnings: string[] = []
  let refersToRuntime = false
  for (const { entry, bytes } of files) {
    const path = entry.name
    if (SDK_FILES.has(path.slice(path.lastIndexOf('/') + 1))) {
      warnings.push(`${path}: a copy of the SDK grows old; load it from ../../js/sdk/ instead`)
    }
    if (!isScript(path) && !isPage(path) && !isStyleSheet(path)) continue
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    refersToRuntime ||= text.includes(RUNTIME)
    if (isScript(path) && /\beval\s*\(|\bnew\s+Function\s*\(/.test(text)) {
      warnings.push(`${path}: eval and new Function will not run`)
    }
    if (isStyleSheet(path) && /(?:@import\s+|url\(\s*)["']?(?:https?:)?\/\//i.test(text)) {
      warnings.push(`${path}: what it loads from other hosts will not load; put the files into the bundle`)
    }
  }
  if (!refersToRuntime) {
    warnings.push(`No page or script refers to ${RUNTIME}: the World will not hear from its page.`)
  }
  return warnings
}
