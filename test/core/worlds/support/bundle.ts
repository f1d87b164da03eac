import { makeZip, type Zip, type ZipOptions, type ZipPart } from './zip.ts'

/** A valid manifest without warnings. */
export const manifest = {
  schemaVersion: 1,
  slug: 'night-loom',
  name: 'Night Loom',
  version: '0.1.0',
  description: 'Weaves pitch and time into light.',
  entry: 'index.html',
  runtime: 'iframe',
  surfaces: ['world-page', 'studio-plugin'],
  permissions: ['dcn.connectors.read', 'dcn.execute'],
  acceptedConnectorSets: [{ connectors: ['pitch'], optionalConnectors: ['time'] }],
  acceptedFormatHashes: [],
  valueLimits: {
    particlesCount: { min: 1, max: 64 },
    connectorValues: { '/pitch:0': { min: 0, max: 127 } },
  },
  preview: 'preview.png',
}

export const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)

const PAGE =
  '<!doctype html><title>Night Loom</title><script type="module" src="world.js"></script><canvas></canvas>\n'
const SCRIPT =
  "import { createWorldSdk } from '../../js/sdk/world-runtime.js'\ncreateWorldSdk({ worldId: 'night-loom' })\n"

export type Manifest = Readonly<Record<string, unknown>>

/** The entries of a good bundle. Keys of `changes` that are undefined are left out of the manifest. */
export function bundleParts(changes: Manifest = {}): ZipPart[] {
  return [
    { name: 'world-manifest.json', content: JSON.stringify({ ...manifest, ...changes }) },
    { name: 'index.html', content: PAGE },
    { name: 'world.js', content: SCRIPT },
    { name: 'preview.png', content: PNG, stored: true },
  ]
}

/** A good bundle, with more or other entries: one of the same name takes the place of the good one. */
export function makeBundle(
  changes: Manifest = {},
  more: readonly ZipPart[] = [],
  options: ZipOptions = {},
): Zip {
  const names = new Set(more.map(({ name }) => name))
  return makeZip([...bundleParts(changes).filter(({ name }) => !names.has(name)), ...more], options)
}
