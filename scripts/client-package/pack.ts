import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { API_VERSION } from '#lib/server/operations/chain/version.ts'
import { bundle, ROOT, writeLicences, writeManifest } from '../npm-package/pack.ts'

/** Modules of the package, and those that their types import. */
const ENTRIES = ['index', 'verify']
const TYPES = [
  'api-client',
  'chain',
  'chain-schema',
  'errors',
  'follow',
  'publish',
  'services',
  'services-schema',
].concat('sign-in', 'words', ENTRIES)
/** Modules of `lib/protocol` whose types the package's own import. */
const TYPES_OF_PROTOCOL = ['presentation']
/** Libraries whose types the package's own import. */
const TYPES_OF_OTHERS = ['openapi-fetch', 'openapi-typescript-helpers']

/** Both kinds of modules, and the endings of their files and types: a TypeScript project takes the kind it compiles to. */
const FORMATS = { esm: 'js', cjs: 'cjs' } as const
const TYPES_OF = { js: 'ts', cjs: 'cts' } as const

/**
 * `@weft/client`: modules for any runtime, their types, the README and the licences. It needs nothing else. Its version is
 * that of the APIs' documents, as that of the command line.
 */
export async function buildClientPackage(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const libraries = new Set(TYPES_OF_OTHERS)
  for (const [format, ending] of Object.entries(FORMATS)) {
    for (const name of ENTRIES) {
      const packages = await bundle({
        entryPoints: [join(ROOT, `lib/client/${name}.ts`)],
        outfile: join(folder, `${name}.${ending}`),
        format: format as keyof typeof FORMATS,
        platform: 'browser',
      })
      for (const library of packages) libraries.add(library)
    }
    const write = (name: string, types: string) =>
      writeFileSync(join(folder, `${name}.d.${TYPES_OF[ending]}`), withOwnPaths(types, ending))
    for (const name of TYPES) write(name, declarations(join(ROOT, `lib/client/${name}.ts`)))
    for (const name of TYPES_OF_PROTOCOL) write(name, declarations(join(ROOT, `lib/protocol/${name}.ts`)))
    for (const name of TYPES_OF_OTHERS)
      write(name, readFileSync(join(ROOT, `node_modules/${name}/dist/index.d.mts`), 'utf8'))
  }
  copyFileSync(join(ROOT, 'lib/client/README.md'), join(folder, 'README.md'))
  writeLicences(folder, libraries)
  const entry = (name: string) => ({
    import: { types: `./${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  })
  writeManifest(folder, {
    name: '@weft/client',
    version: API_VERSION,
    description: 'Typed client of a Weft: both APIs, sign-in, publication, the feed, and proofs of runs',
    keywords: ['weft', 'solidity', 'generative', 'openapi', 'client'],
    sideEffects: false,
    exports: { '.': entry('index'), './verify': entry('verify'), './package.json': './package.json' },
    main: './index.cjs',
    types: './index.d.cts',
  })
}

/** `@weft/cli`: the command line `weft`, without anything to install beside it. */
export function buildCommandPackage(folder: string): Promise<void> {
  return buildProgram(folder, 'weft', {
    name: '@weft/cli',
    description: 'Simulate, run, publish, follow, verify and export connectors of a Weft from a shell',
    keywords: ['weft', 'solidity', 'generative', 'cli', 'midi'],
  })
}

/** `@weft/verify`: the check of certificates alone, `weft-verify`. */
export function buildVerifyPackage(folder: string): Promise<void> {
  return buildProgram(folder, 'weft-verify', {
    name: '@weft/verify',
    description: 'Check certificates of runs of a Weft',
    keywords: ['weft', 'solidity', 'merkle-proof', 'verify', 'cli'],
  })
}

/** One program of `packages`, its README and the licences. @param program Name of its folder, and of the command. */
async function buildProgram(
  folder: string,
  program: string,
  about: { readonly name: string; readonly description: string; readonly keywords: readonly string[] },
): Promise<void> {
  const source = join(ROOT, 'packages', program)
  const libraries = await bundle({
    entryPoints: [join(source, 'main.ts')],
    outfile: join(folder, `${program}.js`),
    format: 'esm',
    platform: 'node',
    banner: { js: '#!/usr/bin/env node' },
    define: { VERSION: JSON.stringify(API_VERSION) },
  })
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'))
  writeLicences(folder, libraries)
  writeManifest(folder, { ...about, version: API_VERSION, bin: { [program]: `./${program}.js` } })
}

/** The types of one module, emitted in isolation: every export has an explicit type. */
function declarations(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, declaration: true, module: ts.ModuleKind.ESNext },
  })
  const [first] = diagnostics
  if (first !== undefined) {
    throw new Error(`${dirname(path)}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`)
  }
  return outputText
}

/** Imports as they are inside the package. */
function withOwnPaths(text: string, ending: string): string {
  return text.replaceAll(
    /from (['"])(\.\/|#lib\/protocol\/)?([\w-]+)(\.ts)?\1/g,
    (whole, _, relative, name) =>
      relative !== undefined || TYPES_OF_OTHERS.includes(name) ? `from './${name}.${ending}'` : whole,
  )
}
