import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { searchText } from '#lib/core/worlds/list-worlds.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { type Cell, copyRows } from './copy-rows.ts'
import { accountOf } from './network.ts'
import { type Random, seededRandom, words } from './random.ts'

const OWNERS = 200
const PAGE = '<!doctype html><html lang="en"><title>World</title><body>World</body></html>'

/** Worlds for every query of the gallery: words, format, surface, permission and order. */
export async function fillWorlds(
  sql: postgres.Sql,
  { worlds, formats }: { readonly worlds: number; readonly formats: readonly Hash[] },
): Promise<void> {
  const random = seededRandom(3)
  const made = Array.from({ length: worlds }, (_, index) => worldOf(random, index, formats))
  await copyRows(
    sql,
    'worlds',
    'id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces, permissions, manifest, search_text, created_at, updated_at',
    made.map(({ id, manifest, owner, status, index, page }): Cell[] => [
      id,
      manifest.slug,
      owner,
      status,
      manifest.version,
      sha256(page),
      sha256(manifest.slug),
      manifest.entry,
      `{${manifest.surfaces.join(',')}}`,
      `{${manifest.permissions.join(',')}}`,
      manifest,
      searchText([manifest.name, manifest.slug, manifest.description, undefined]),
      new Date(index * 1000).toISOString(),
      new Date((index + random.whole(worlds)) * 1000).toISOString(),
    ]),
  )
  const active = made.filter(({ status }) => status === 'active')
  await copyRows(
    sql,
    'blobs',
    'hash, size',
    active.map(({ page }) => [sha256(page), page.length]),
  )
  await copyRows(
    sql,
    'blob_parts',
    'hash, part, bytes',
    active.map(({ page }) => [sha256(page), 0, Buffer.from(page)]),
  )
  await copyRows(
    sql,
    'world_files',
    'world_id, path, hash, size',
    active.map(({ id, page }) => [id, 'index.html', sha256(page), page.length]),
  )
}

function worldOf(random: Random, index: number, formats: readonly Hash[]) {
  const name = `${words(random)} ${index.toString(36)}`
  const plugin = index % 20 === 7
  const wanted = index % 3 === 0 && formats.length > 0 ? [formats[random.popular(formats.length)]!] : []
  const manifest = {
    schemaVersion: 1,
    slug: `${name.toLowerCase().replaceAll(' ', '-')}-${index.toString(36)}`,
    name,
    version: '1.0.0',
    description: `A World of ${words(random)} and ${words(random)}, with ${words(random)} below it.`,
    entry: 'index.html',
    runtime: 'iframe',
    surfaces: plugin ? ['studio-plugin'] : ['world-page'],
    permissions: index % 10 === 3 ? ['browser.audio'] : [],
    acceptedConnectorSets: [],
    acceptedFormatHashes: wanted,
    ...(index % 2 === 0 && { preview: 'index.html' }),
    // Every third World was made from the first, or from one that was.
    ...(index % 3 === 1 && { remixOf: idOf(index % 30 === 1 ? 0 : index - 3) }),
  }
  return {
    index,
    id: idOf(index),
    owner: accountOf(random.popular(OWNERS)),
    status: index % 12 === 11 ? 'deleted' : 'active',
    manifest,
    page: `${PAGE}<!-- ${index} -->`,
  }
}

function idOf(index: number): string {
  return `wld_${String(index).padStart(20, '0')}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
