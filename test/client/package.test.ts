import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClientPackage } from '#scripts/client-package/pack.ts'
import { documents } from '#scripts/generated/client-types.ts'
import { samplesOf } from '#test/support/doc-samples.ts'

const project = mkdtempSync(join(tmpdir(), 'weft-client-types-'))
const folder = join(project, 'node_modules/@weft/client')

beforeAll(() => buildClientPackage(folder))
afterAll(() => rmSync(project, { recursive: true, force: true }))

function readManifest() {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The compiler's errors for a file of another project that has only the package. */
function problemsOf(code: string, name = 'module.mts', options: object = {}): string[] {
  const file = join(project, name)
  writeFileSync(file, code)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    // The package's own types are held to what they import; those of the platform are not ours.
    skipDefaultLibCheck: true,
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022', 'DOM'],
    types: [],
    ...options,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }))
  const tsc = 'node_modules/@typescript/native/bin/tsc'
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
    encoding: 'utf8',
  })
  return stdout.trim().split('\n').filter(Boolean)
}

test('the package types paths, inputs and responses without type arguments, as its page shows', () => {
  const [sample] = samplesOf('lib/client/README.md')
  expect(sample?.language).toBe('ts')
  const more = `
    import type { ChainComponents } from '@weft/client'
    export const run: ChainComponents['schemas']['ExecuteRequest'] = { connector_name: 'a', particles_count: 3 }
    export const names: string[] | undefined = data.dimensions.map(({ composite }) => composite)
    // @ts-expect-error
    chain.GET('/connectr/{name}', {})
    // @ts-expect-error
    chain.POST('/simulate', { body: { connector_name: 'a', particles: 3 } })
    // @ts-expect-error
    export const wrong: string = data.dimensions`
  expect(problemsOf(`${sample?.code}${more}`)).toEqual([])
})

test('a project of CommonJS has the package and its types, as `npm init -y` makes one', () => {
  writeFileSync(join(project, 'package.json'), '{"name":"project","version":"1.0.0","type":"commonjs"}')
  const code = `
    import { type ChainComponents, createChainClient } from '@weft/client'
    export async function main(): Promise<ChainComponents['schemas']['ConnectorDimensionInfo'][] | undefined> {
      const chain = createChainClient('http://localhost:3000/chain')
      const { data, error } = await chain.GET('/connector/{name}', { params: { path: { name: 'pitch' } } })
      if (error) throw new Error(error.message)
      // @ts-expect-error
      data.dimension
      return data.dimensions
    }`
  expect(problemsOf(code, 'project.ts')).toEqual([])
  expect(problemsOf(code, 'project.cts')).toEqual([])
  const { createServicesClient } = createRequire(join(project, 'main.js'))('@weft/client')
  expect(Object.keys(createServicesClient('http://h'))).toContain('GET')
})

test('the package has no other dependencies, and includes all licences', async () => {
  const manifest = readManifest()
  expect(manifest).toMatchObject({ name: '@weft/client', type: 'module', license: 'MIT' })
  expect(manifest.dependencies).toBeUndefined()
  for (const name of ['index', 'verify']) {
    expect(readFileSync(join(folder, `${name}.js`), 'utf8')).not.toMatch(/^import /m)
    expect(readFileSync(join(folder, `${name}.cjs`), 'utf8')).not.toMatch(/\brequire\(['"]/)
  }
  const licences = readFileSync(join(folder, 'LICENSE'), 'utf8')
  expect([...licences.matchAll(/^([@a-z][\w/-]*):$/gm)].map(([, name]) => name)).toEqual([
    '@noble/hashes',
    'eventsource-parser',
    'openapi-fetch',
    'openapi-typescript-helpers',
    'viem',
  ])
  expect(licences.match(/Permission is hereby granted/g)).toHaveLength(6)

  const asked: string[] = []
  const { createChainClient } = await import(pathToFileURL(join(folder, 'index.js')).href)
  const chain = createChainClient('http://weft.example/chain', {
    token: 'secret',
    fetch: async ({ method, url, headers }: Request) => {
      asked.push(`${method} ${url} ${headers.get('authorization')}`)
      return Response.json({ name: 'pitch' })
    },
  })
  const { data } = await chain.GET('/connector/{name}', { params: { path: { name: 'a b' } } })
  expect(data).toEqual({ name: 'pitch' })
  expect(asked).toEqual(['GET http://weft.example/chain/connector/a%20b Bearer secret'])
})

test('the samples of its page compile, with accounts of viem as signers', () => {
  symlinkSync(resolve('node_modules/viem'), join(project, 'node_modules/viem'))
  const samples = samplesOf('lib/client/README.md').filter(({ language }) => language === 'ts')
  const indented = readFileSync('lib/client/README.md', 'utf8').matchAll(/^ {2}```ts\n(.*?)^ {2}```$/gms)
  const code = [...samples.map((sample) => sample.code), ...[...indented].map(([, text]) => text)]
  expect(code).toHaveLength(5)
  const whole = `declare const process: { env: Record<string, string> }\n${code.join('\n')}\nexport { mine, sentence, worlds }`
  expect(problemsOf(whole, 'page.mts', { skipLibCheck: true })).toEqual([])
})

test('what npm packs is what its manifest names, under the version of both documents', () => {
  const manifest = readManifest()
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' })
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
  const packed = files.map(({ path }) => path)
  const modules = ['index', 'verify'].flatMap((name) => [`${name}.js`, `${name}.cjs`])
  const types = ['api-client', 'chain', 'chain-schema', 'errors', 'follow', 'index', 'openapi-fetch']
    .concat('openapi-typescript-helpers', 'presentation', 'publish', 'services', 'services-schema', 'sign-in')
    .concat('verify', 'words')
    .flatMap((name) => [`${name}.d.ts`, `${name}.d.cts`])
  expect(packed.sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...modules, ...types].sort())

  const named = JSON.stringify([manifest.exports, manifest.main, manifest.types]).matchAll(
    /"\.\/([^"]+\.\w+)"/g,
  )
  for (const [, path] of named) expect(packed).toContain(path)
  for (const document of Object.values(documents)) expect(document().info.version).toBe(manifest.version)
})
