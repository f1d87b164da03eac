import { Refusal } from '#lib/browser/requests.ts'
import { MAX_ZIP_MIB } from '#lib/protocol/world-manifest.ts'

/** Messages that state what failed and what to do. */
export function errorLines(error: unknown): readonly string[] {
  if (!(error instanceof Refusal)) return ['The site does not answer. Nothing was changed; try again.']
  if (error.status === 401) return ['You are not signed in any more: sign in and try again.']
  if (error.status === 413) return [`The file is larger than ${MAX_ZIP_MIB} MiB.`]
  const lines = error.message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length > 0 ? lines : [`The site refused it (${error.status}).`]
}

/** `512 bytes`, `3.4 KiB`, `1.2 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / 1024 / 1024, 'MiB']
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`
}
