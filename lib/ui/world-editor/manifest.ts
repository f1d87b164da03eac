type ManifestFields = Readonly<Record<string, unknown>>

/** The fields of a manifest; undefined when the text is no JSON object. */
export function readFields(text: string): ManifestFields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ManifestFields)
      : undefined
  } catch {
    return undefined
  }
}

/** A default manifest for files without one. @param paths Of the files. */
export function firstManifest(name: string, paths: readonly string[]): string {
  const title = name.replace(/\.zip$/i, '')
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG)
  const pages = paths.filter((path) => /\.html?$/i.test(path))
  const preview = paths.find((path) => /\.(png|jpe?g|webp)$/i.test(path))
  return manifestText({
    schemaVersion: 1,
    slug,
    name: title,
    version: '0.1.0',
    description: '',
    entry: pages.find((path) => path === 'index.html') ?? pages[0] ?? 'index.html',
    runtime: 'iframe',
    surfaces: ['world-page'],
    permissions: [],
    acceptedConnectorSets: [],
    acceptedFormatHashes: [],
    ...(preview !== undefined && { preview }),
  })
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
  return manifestText({ ...fields, slug, name, version: '0.1.0', remixOf: id })
}

/** The manifest of a World that is begun from the template. */
export function templateManifest(text: string, suffix: string): string {
  const fields = readFields(text)
  return fields === undefined ? text : manifestText({ ...fields, slug: `${fields.slug}-${suffix}` })
}

/** An ending of a slug: two Worlds made from one do not want the same address. */
export function newSuffix(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join('')
}

function manifestText(fields: ManifestFields): string {
  return `${JSON.stringify(fields, null, 2)}\n`
}
