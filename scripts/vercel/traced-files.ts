import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that threads start with: by path, which no bundler sees. */
const THREADS = [
  'lib/compute/simulator/simulation-thread.ts',
  'lib/compute/solidity/compile-thread.ts',
  'lib/compute/bundle/check-bundle-thread.ts',
  'lib/compute/pictures/picture-thread.ts',
] as const

/** Files that the site reads from disk at run time. */
const READ = [
  './lib/**/*.ts',
  './lib/core/worlds/sdk/built/**',
  './contracts/artifacts/**',
  './contracts/README.md',
  './lib/client/README.md',
  './node_modules/@fontsource/spline-sans-mono/files/spline-sans-mono-latin-400-normal.woff',
  './examples/python/README.md',
  './docs/**/*.md',
  './drizzle/**',
]

/**
 * What a platform that takes the site apart into functions has to put into each of them, as globs from the project's
 * root: our own sources and texts, and the packages that the threads need.
 *
 * @param root The project's folder.
 */
export function tracedFiles(root: string): string[] {
  return [...READ, ...threadPackages(root).map((folder) => `./${folder}/**/*.{js,cjs,mjs,json,wasm,node}`)]
}

/** Folders of the packages that the threads import, and of all that those need, from the root. */
export function threadPackages(root: string): string[] {
  const folders = new Set<string>()
  const imported = new Set<string>()
  const files = new Set<string>()
  for (const thread of THREADS) follow(join(root, thread))
  for (const name of imported) add(name, root)
  return [...folders].sort()

  function follow(file: string): void {
    if (files.has(file) || !existsSync(file)) return
    files.add(file)
    for (const specifier of importsOf(readFileSync(file, 'utf8'))) {
      if (specifier.startsWith('.')) follow(join(dirname(file), specifier))
      else if (!specifier.startsWith('node:')) imported.add(packageOf(specifier))
    }
  }

  /** @param from Folder of the package that needs it, which may have a nested copy. */
  function add(name: string, from: string): void {
    const folder = resolvePackage(root, name, from)
    if (folder === undefined || folders.has(folder)) return
    folders.add(folder)
    const needs = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
      /** Those of this machine are there: code of a package for its platform, for instance. */
      optionalDependencies?: Record<string, string>
    }
    const { dependencies = {}, optionalDependencies = {} } = needs
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
      add(dependency, join(root, folder))
  }
}

/** Imports of a module when it runs; types are gone by then. */
function importsOf(source: string): string[] {
  return [
    ...source.matchAll(
      /^(?:import|export)\s+(?!type\b)[^'"]*?['"]([^'"]+)['"]|\b(?:import|require)\(\s*'([^']+)'\s*\)/gm,
    ),
  ].map(([, specifier, called]) => specifier ?? called ?? '')
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The nearest folder with the package, by Node's resolution; undefined when there is none, as for optional ones. */
function resolvePackage(root: string, name: string, from: string): string | undefined {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate.slice(root.length + 1)
    if (folder === root) break
  }
  return undefined
}
