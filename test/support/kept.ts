import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/* Results that one process of a run has and the others read: texts in a folder of the run. */

const FOLDER = 'TESTS_KEPT'

/** Has the processes that this one starts keep their texts in that folder, from now on. */
export function keepIn(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  process.env[FOLDER] = folder
}

/** The text of that name; undefined when no process has kept it yet. */
export function kept(name: string): string | undefined {
  const path = pathOf(name)
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

export function keep(name: string, text: string): void {
  const path = pathOf(name)
  if (path === undefined) return
  // Others never read half of it.
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
}

/** The text of that name, made by the first process that needs it. */
export async function onceARun(name: string, make: () => Promise<string>): Promise<string> {
  const known = kept(name)
  if (known !== undefined) return known
  const text = await make()
  keep(name, text)
  return text
}

function pathOf(name: string): string | undefined {
  const folder = process.env[FOLDER]
  return folder && join(folder, createHash('sha256').update(name).digest('hex'))
}
