import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { BUILT_FOLDER } from '../../lib/worlds/sdk/built-module.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
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
 * Packs `create-weft-world`: the template, the preview and the checks of an upload in one program without dependencies.
 *
 * @param folder Where the tarball goes; made when it is missing.
 * @returns The path of the tarball.
 */
export async function packCreateWorld(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const source = mkdtempSync(join(tmpdir(), 'create-weft-world-'))
  try {
    await buildPackage(source)
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--silent', '--pack-destination', resolve(folder)],
      { cwd: source },
    )
    return join(folder, stdout.trim())
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
}

async function buildPackage(folder: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['scripts/create-world/cli.ts'],
    outfile: join(folder, PROGRAM),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'error',
    // Libraries of the other kind of modules ask for Node's own by `require`.
    banner: {
      js: "#!/usr/bin/env node\nimport{createRequire as r}from'node:module';const require=r(import.meta.url);",
    },
  })
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  cpSync(join(ROOT, 'scripts/create-world/README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'LICENSE'), licences(Object.keys(metafile.inputs)).join('\n---\n\n'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

function manifest(): object {
  return {
    name: 'create-weft-world',
    version: (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version,
    description: 'Begins a World for a Weft, and previews it',
    license: 'MIT',
    type: 'module',
    bin: PROGRAM,
    files: ['scripts', 'examples', 'lib'],
    engines: { node: '>=20.12' },
  }
}

/** Of this project, and of every library that became part of the program. */
function licences(inputs: readonly string[]): readonly string[] {
  const found = inputs.flatMap(
    (path) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.slice(0, 2) ?? [],
  )
  const folders = new Map<string, string>()
  for (let at = 0; at < found.length; at += 2)
    folders.set(String(found[at + 1]), join(ROOT, String(found[at])))
  const own = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  return [
    own,
    ...[...folders].map(([name, folder]) => {
      // Some state theirs in the README.
      const file = readdirSync(folder)
        .sort()
        .find((each) => /^(licen[cs]e|readme)/i.test(each))
      if (file === undefined) throw new Error(`${folder} has no licence to pass on.`)
      return `${name}:\n\n${readFileSync(join(folder, file), 'utf8')}`
    }),
  ]
}
