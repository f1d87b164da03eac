import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf, type Outputs } from './outputs.ts'

/** What the platform lets a function be unpacked to. */
const MOST_MB = 250

/** How large the functions are, each by itself and all in one, as the platform may put them together. */
export function describeSizes(outputs: Outputs): string {
  const sizes = new Map<string, number>()
  const sizeOf = (path: string): number => {
    const size = sizes.get(path) ?? lstatSync(join(outputs.projectDir, path)).size
    sizes.set(path, size)
    return size
  }
  const each = outputs.functions.map((called) => ({
    path: called.pathname,
    megabytes: filesOf(outputs, called).reduce((sum, [, file]) => sum + sizeOf(file), 0) / 1e6,
  }))
  const largest = each.reduce((a, b) => (b.megabytes > a.megabytes ? b : a))
  const together = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6
  return (
    `${each.length} functions; the largest is ${largest.path} with ${largest.megabytes.toFixed(0)} MB, ` +
    `all in one are ${together.toFixed(0)} MB of the ${MOST_MB} that are allowed.`
  )
}
