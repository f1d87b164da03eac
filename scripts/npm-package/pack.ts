import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BuildOptions, build } from 'esbuild'

/* What the packages of this repository share: each is bundled, so that it depends on nothing, and packed by npm. */

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Writes a package into a folder that exists. */
type BuildPackage = (folder: string) => Promise<void>

/**
 * Packs a package for other projects to install.
 *
 * @param folder Where the tarball goes; made when it is missing.
 * @returns The path of the tarball.
 */
export async function pack(buildPackage: BuildPackage, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const source = mkdtempSync(join(tmpdir(), 'weft-package-'))
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

/** Bundles a module with everything that it imports. @returns the names of the libraries that became part of it */
export async function bundle(options: BuildOptions): Promise<Set<string>> {
  const { metafile } = await build({
    bundle: true,
    metafile: true,
    target: 'es2022',
    legalComments: 'inline',
    logLevel: 'error',
    absWorkingDir: ROOT,
    ...options,
  })
  const outputs = Object.values(metafile?.outputs ?? {})
  const paths = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
  return new Set(paths.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []))
}

/** The licence of the package, and those of the libraries in it. @throws Error for a library without one */
export function writeLicences(folder: string, libraries: ReadonlySet<string>): void {
  const texts = [...libraries].sort().map((name) => {
    const files = readdirSync(join(ROOT, 'node_modules', name)).sort()
    // Some state theirs in the README.
    const file = [/^licen[cs]e/i, /^readme/i]
      .map((pattern) => files.find((each) => pattern.test(each)))
      .find((match) => match !== undefined)
    if (file === undefined) throw new Error(`${name} has no licence to pass on`)
    return `${name}:\n\n${readFileSync(join(ROOT, 'node_modules', name, file), 'utf8')}`
  })
  writeFileSync(
    join(folder, 'LICENSE'),
    [readFileSync(join(ROOT, 'LICENSE'), 'utf8'), ...texts].join('\n---\n\n'),
  )
}

export function writeManifest(
  folder: string,
  own: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string },
): void {
  const shared = {
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20' },
    publishConfig: { access: 'public' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...shared, ...own }, null, 2)}\n`)
}
