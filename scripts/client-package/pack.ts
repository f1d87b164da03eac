import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { API_VERSION } from '../../lib/server/operations/chain/version.ts'

/**
 * Packs the client for other projects to install.
 *
 * @param folder Where the tarball goes; made when it is missing.
 * @returns The path of the tarball.
 */
export async function packClient(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const source = mkdtempSync(join(tmpdir(), 'weft-client-'))
  try {
    await buildClientPackage(source)
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

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['index', 'proof', 'api-client', 'chain', 'chain-schema', 'services', 'services-schema']
/** What programs import: the clients, and apart from them, as it is larger, what proves runs. */
const ENTRIES = ['index', 'proof']
/** Libraries that become part of the package, so that it needs nothing else. Names are those of their types. */
const PARTS = ['openapi-fetch', 'openapi-typescript-helpers']
/** Those of which no types are part. */
const UNTYPED_PARTS = ['viem', 'abitype', '@noble/hashes']

/** Both kinds of modules, and the endings of their files and types: a TypeScript project takes the kind it compiles to. */
const FORMATS = { esm: 'js', cjs: 'cjs' } as const
const TYPES_OF = { js: 'ts', cjs: 'cts' } as const

/**
 * Writes the client as a separate package: modules for any runtime, their types, the README and the licences.
 *
 * @param folder Made when it is missing.
 */
export async function buildClientPackage(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const [format, ending] of Object.entries(FORMATS)) {
    await build({
      entryPoints: ENTRIES.map((name) => join(ROOT, `lib/client/${name}.ts`)),
      outdir: folder,
      outExtension: { '.js': `.${ending}` },
      bundle: true,
      format: format as keyof typeof FORMATS,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      // Sockets of a library, which nothing here uses, are then the platform's own.
      conditions: ['browser'],
      target: 'es2022',
      legalComments: 'inline',
      logLevel: 'error',
    })
    const write = (name: string, types: string) =>
      writeFileSync(join(folder, `${name}.d.${TYPES_OF[ending]}`), withOwnPaths(types, ending))
    for (const name of SOURCES) write(name, declarations(join(ROOT, `lib/client/${name}.ts`)))
    for (const name of PARTS)
      write(name, readFileSync(join(ROOT, `node_modules/${name}/dist/index.d.mts`), 'utf8'))
  }
  copyFileSync(join(ROOT, 'lib/client/README.md'), join(folder, 'README.md'))
  const licences = [
    readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
    ...[...PARTS, ...UNTYPED_PARTS].map(
      (name) => `${name}:\n\n${readFileSync(join(ROOT, `node_modules/${name}/LICENSE`), 'utf8')}`,
    ),
  ]
  writeFileSync(join(folder, 'LICENSE'), licences.join('\n---\n\n'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

function manifest(): object {
  return {
    name: 'weft-client',
    version: API_VERSION,
    description: 'Typed clients of the chain API and the services API of a Weft',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    exports: {
      '.': exported('index'),
      './proof': exported('proof'),
    },
    main: './index.cjs',
    types: './index.d.cts',
    engines: { node: '>=20' },
  }
}

function exported(name: string): object {
  return {
    import: { types: `./${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  }
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
  return text.replaceAll(/from (['"])(\.\/)?([\w-]+)(\.ts)?\1/g, (whole, _, relative, name) =>
    relative !== undefined || PARTS.includes(name) ? `from './${name}.${ending}'` : whole,
  )
}
