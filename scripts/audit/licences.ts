import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson } from '../stack/files.ts'
import type { Exceptions } from './advisories.ts'

/** Use, change and pass on, as long as the text of the licence stays with it. */
const PERMISSIVE = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Zlib'],
  ...['Unlicense', 'CC0-1.0', 'BlueOak-1.0.0'],
]

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), dev: z.boolean().optional(), license: z.string().optional() }),
  ),
})

/**
 * Production dependencies under a licence that is neither permissive nor among the exceptions. Licences come from the
 * lock file, which lists all platforms, and where it has none, from the installed package.
 *
 * @param root The project's folder.
 * @returns A line for each, with its licence.
 */
export function forbiddenLicences(root: string, exceptions: Exceptions['licences']): string[] {
  const { packages } = lockSchema.parse(readJson(join(root, 'package-lock.json')))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? licenceOf(join(root, path)),
    }))
    .filter(({ name, licence }) => !isAllowed(name, licence, exceptions))
    .map(
      ({ name, version, licence }) => `${name} ${version} is under ${licence ?? 'no licence that it names'}`,
    )
}

function isAllowed(name: string, licence = 'none', exceptions: Exceptions['licences']): boolean {
  const more = exceptions.filter((each) => matches(name, each.package)).map((each) => each.licence)
  return holds(licence, [...PERMISSIVE, ...more])
}

/** Whether an SPDX expression, as npm packages write them, can be met by some of these licences alone. */
function holds(expression: string, licences: readonly string[]): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (plain.includes(' OR ')) return plain.split(' OR ').some((each) => holds(each, licences))
  return plain.split(' AND ').every((each) => licences.includes(each))
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Old packages name theirs in other ways, or bring the text only. */
function licenceOf(folder: string): string | undefined {
  const own = z
    .object({
      license: z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).optional(),
      licenses: z.array(z.object({ type: z.string() })).optional(),
    })
    .safeParse(readJson(join(folder, 'package.json'))).data
  const named = own?.license ?? own?.licenses?.map(({ type }) => type).join(' OR ')
  if (named) return named
  try {
    const text = readFileSync(join(folder, 'LICENSE'), 'utf8')
    return /^(?:The )?MIT License/.test(text.trim()) ? 'MIT' : undefined
  } catch {
    return undefined
  }
}
