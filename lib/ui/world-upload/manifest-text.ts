import type { ChosenFile } from './bundle/choose.ts'

export type ManifestFields = Readonly<Record<string, unknown>>

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

/** A default manifest for files without one. */
export function firstManifest(name: string, files: readonly ChosenFile[]): string {
  const title = name.replace(/\.zip$/i, '')
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80)
  const pages = pagesOf(files)
  const entry = pages.find((path) => path === 'index.html') ?? pages[0] ?? 'index.html'
  const [preview] = picturesOf(files)
  const fields = {
    schemaVersion: 1,
    slug,
    name: title,
    version: '0.1.0',
    description: '',
    entry,
    runtime: 'iframe',
    surfaces: ['world-page'],
    permissions: [],
    acceptedConnectorSets: [],
    acceptedFormatHashes: [],
    ...(preview !== undefined && { preview }),
  }
  return `${JSON.stringify(fields, null, 2)}\n`
}

function pagesOf(files: readonly ChosenFile[]): readonly string[] {
  return files.map(({ path }) => path).filter((path) => /\.html?$/i.test(path))
}

function picturesOf(files: readonly ChosenFile[]): readonly string[] {
  return files.map(({ path }) => path).filter((path) => /\.(png|jpe?g|webp)$/i.test(path))
}
