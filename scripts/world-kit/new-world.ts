import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The World that others begin with. */
export const TEMPLATE = fileURLToPath(new URL('../../examples/world-template/', import.meta.url))
const TEXT = /\.(html|js|json|md)$/
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/**
 * Copies the template into a new folder, whose name becomes the slug.
 *
 * @returns the slug.
 * @throws Error when the name cannot be a slug, or the folder is there already.
 */
export function newWorld(folder: string): string {
  const slug = basename(resolve(folder))
  if (!SLUG.test(slug) || slug.length > 80) {
    throw new Error(`${slug} cannot be a slug: use lowercase letters, digits and dashes, at most 80.`)
  }
  if (existsSync(folder)) throw new Error(`${folder} is there already: choose another name.`)
  cpSync(TEMPLATE, folder, { recursive: true })
  const words = slug.replaceAll('-', ' ')
  const name = words.charAt(0).toUpperCase() + words.slice(1)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile() || !TEXT.test(entry.name)) continue
    const file = join(folder, entry.name)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll('my-world', slug).replaceAll('My World', name))
  }
  return slug
}
