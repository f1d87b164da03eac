import { del, get, set } from 'idb-keyval'
import { type Chosen, chooseFiles, isPartName, MANIFEST_PATH } from '#lib/ui/world-upload/bundle/choose.ts'
import { readFields } from '#lib/ui/world-upload/manifest-text.ts'
import type { WorldSourceView } from '#lib/views/world-source.ts'

/** A remix as it is stored in this browser. Files that are text are strings. */
export interface Remix {
  readonly files: ReadonlyMap<string, string | Blob>
}

/** One file, without what the site adds when it serves it. @throws Error when it cannot be loaded. */
export async function loadFile(slug: string, path: string): Promise<Blob> {
  const response = await fetch(`/worlds/${slug}/source/file?${new URLSearchParams({ path })}`)
  if (!response.ok) throw new Error(`The site did not send ${path} (${response.status}).`)
  return response.blob()
}

const AT_ONCE = 4

/** Loads all files of a World, with a manifest of a new World that names it. @throws Error when one is missing. */
export async function startRemix({ id, slug, files }: WorldSourceView): Promise<Remix> {
  const loaded = new Map<string, string | Blob>()
  const waiting = [...files]
  const load = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const blob = await loadFile(slug, file.path)
      loaded.set(file.path, file.text ? await blob.text() : blob)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, load))
  const manifest = loaded.get(MANIFEST_PATH)
  if (typeof manifest === 'string') loaded.set(MANIFEST_PATH, remixManifest(manifest, id, newSuffix()))
  return { files: loaded }
}

/** Two remixes of one World do not want the same address. */
function newSuffix(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join('')
}

const MAX_SLUG = 80
const MAX_NAME = 200

/** The manifest of a remix of the World `id`: another slug, name and version, the rest as it was. */
export function remixManifest(text: string, id: string, suffix: string): string {
  const fields = readFields(text)
  if (fields === undefined) return text
  const ending = `-remix-${suffix}`
  const slug = `${String(fields.slug ?? 'world').slice(0, MAX_SLUG - ending.length)}${ending}`
  const name = `${String(fields.name ?? 'World').slice(0, MAX_NAME - 6)} remix`
  return `${JSON.stringify({ ...fields, slug, name, version: '0.1.0', remixOf: id }, null, 2)}\n`
}

/** The files of a remix, by path. */
export function remixFiles({ files }: Remix): WorldSourceView['files'] {
  return [...files]
    .map(([path, content]) => ({
      path,
      size: typeof content === 'string' ? content.length : content.size,
      text: typeof content === 'string',
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Why a remix cannot have a new file at a path; undefined where it can. The preview's check finds the rest. */
export function newPathProblem({ files }: Remix, path: string): string | undefined {
  if (path === '') return 'Type a name, like notes.js or sounds/kick.wav.'
  if (files.has(path)) return `There is a file ${path} already: remove it first.`
  const left = path.split('/').find((part) => !isPartName(part))
  return left === undefined ? undefined : `Files named ${left} are left out of Worlds.`
}

/** A file from disk as a remix stores it: a string if it is UTF-8 text. */
export async function remixFile(file: Blob): Promise<string | Blob> {
  const bytes = await file.arrayBuffer()
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? new Blob([bytes]) : text
  } catch {
    return new Blob([bytes])
  }
}

/** As a bundle to preview and to publish. */
export function remixBundle(name: string, { files }: Remix): Promise<Chosen> {
  const found = [...files].map(([path, content]) => ({ path, file: new File([content], path) }))
  return chooseFiles(name, found)
}

function keyOf(worldId: string): string {
  return `weft-remix-${worldId}`
}

/** Undefined where there is none, or where the browser stores nothing. */
export async function storedRemix(worldId: string): Promise<Remix | undefined> {
  try {
    return await get<Remix>(keyOf(worldId))
  } catch {
    return undefined
  }
}

/** @returns whether the browser stored it. */
export async function storeRemix(worldId: string, remix: Remix): Promise<boolean> {
  try {
    await set(keyOf(worldId), remix)
    return true
  } catch {
    return false
  }
}

export async function dropRemix(worldId: string): Promise<void> {
  try {
    await del(keyOf(worldId))
  } catch {
    // Nothing was stored.
  }
}
