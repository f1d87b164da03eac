import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_FOLDER } from '#lib/core/worlds/sdk/built-module.ts'
import { bundle, ROOT, writeLicences, writeManifest } from '../npm-package/pack.ts'
import { readJson } from '../stack/files.ts'

/** Where the sources stand, so that their relative paths lead to the same files. */
const PROGRAM = 'scripts/world-kit/cli.js'
const COPIED = [
  'examples/world-template',
  'scripts/world-kit/preview.html',
  'scripts/world-kit/preview.js',
  'scripts/world-kit/sample-runs.json',
  BUILT_FOLDER,
]

/**
 * `@weft/create-world`: the template, the preview and the checks of an upload in one program without dependencies,
 * `create-weft-world`.
 */
export async function buildCreateWorldPackage(folder: string): Promise<void> {
  const libraries = await bundle({
    entryPoints: [join(ROOT, 'scripts/create-world/cli.ts')],
    outfile: join(folder, PROGRAM),
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Libraries of the other kind of modules ask for Node's own by `require`.
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire as r}from'node:module';const require=r(import.meta.url);",
    },
  })
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  cpSync(join(ROOT, 'scripts/create-world/README.md'), join(folder, 'README.md'))
  writeLicences(folder, libraries)
  writeManifest(folder, {
    name: '@weft/create-world',
    version: (readJson(join(ROOT, 'package.json')) as { version: string }).version,
    description: 'Begins a World for a Weft, and previews it',
    bin: { 'create-weft-world': PROGRAM },
    files: ['scripts', 'examples', 'lib'],
    engines: { node: '>=20.12' },
  })
}
