import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, VARIABLE_NAMES } from '#lib/features/config.ts'
import type { ConfigError } from '#lib/platform/config.ts'
import { threadPackages, tracedFiles } from '#scripts/vercel/traced-files.ts'

function read(path: string) {
  return readFileSync(path, 'utf8')
}

test('what .env.example and the page about configuration list are the variables that are checked', () => {
  const example = read('.env.example')
  const page = read('docs/site/self-hosting/configuration.md')
  expect([...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name).sort()).toEqual(
    [...VARIABLE_NAMES].sort(),
  )
  expect([...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` /gm)].map(([, name]) => name).sort()).toEqual(
    [...VARIABLE_NAMES].sort(),
  )
})

test('what .env.example shows passes its check', () => {
  const secrets = { CHAIN_TOKEN_KEY: 'ab'.repeat(32), SESSION_KEY: 'cd'.repeat(32) }
  const shown = [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]*)=(.+)$/gm)].map(([, name, value]) => [
    name,
    value,
  ])
  expect(shown.length).toBeGreaterThan(30)
  // A bucket belongs together, and its keys are not shown.
  const plain = shown.filter(([name = '']) => !name.startsWith('S3_'))
  expect(() => readConfig({ ...Object.fromEntries(plain), ...secrets })).not.toThrow()
})

test('no secret has a default: nothing starts without those of its owner', () => {
  for (const env of [
    {},
    { NODE_ENV: 'production' },
    { NODE_ENV: 'production', CHAIN_TOKEN_KEY: '', SESSION_KEY: ' ' },
  ]) {
    try {
      readConfig(env)
      expect.unreachable()
    } catch (error) {
      expect((error as ConfigError).problems.map((problem) => problem.split(' ')[0])).toEqual([
        'DATABASE_URL',
        'CHAIN_TOKEN_KEY',
        'SESSION_KEY',
      ])
    }
  }
})

test('a platform that takes the site apart gets what its threads import', () => {
  const packages = threadPackages(process.cwd()).map((folder) => folder.replace(/^.*node_modules\//, ''))
  expect(packages).toEqual(
    expect.arrayContaining(['solc', '@ethereumjs/evm', '@noble/hashes', 'viem', 'parse5', '@napi-rs/canvas']),
  )
  expect(packages).not.toContain('next')
  expect(tracedFiles(process.cwd())).toContain('./node_modules/solc/**/*.{js,cjs,mjs,json,wasm,node}')
})

test('containers get every setting of the file but those that Compose itself decides', () => {
  const text = read('deploy/compose.yaml')
  const processes = text.match(/<<: \*process/g) ?? []
  expect(processes.length).toBe(text.match(/environment: (?:\*settings|\{ <<: \*settings)/g)?.length)
  expect(text).toMatch(
    /^x-process: &process\n(?: {2}.*\n)*? {2}env_file: \["\$\{SETTINGS_FILE:-chain\.env\}"\]$/m,
  )
  expect(read('deploy/anvil.env')).toMatch(/^SETTINGS_FILE=anvil\.env$/m)
  const decided = [...text.matchAll(/\b([A-Z][A-Z0-9_]+): (\S*)/g)].filter(([, name = '']) =>
    VARIABLE_NAMES.includes(name),
  )
  expect(decided.length).toBeGreaterThan(8)
  for (const [, name, value] of decided) {
    // An entry that may be empty would take the place of the one in the file.
    const required = value?.startsWith(`\${${name}:?`)
    expect(required || ['DATABASE_URL', 'HOST', 'PORT', 'WORKER_PORT'].includes(name as string), name).toBe(
      true,
    )
  }
})

function metricFamilies(): string[] {
  const sources = readdirSync('lib/server/metrics').map((name) => read(`lib/server/metrics/${name}`))
  const text = [...sources, read('worker/health-server.ts')].join('\n')
  return [...new Set([...text.matchAll(/'(weft_[a-z_]+)'/g)].map(([, name = '']) => name))]
}

/** Names as `/metrics` shows them; a histogram has three. */
function metricNames(): Set<string> {
  return new Set(metricFamilies().flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]))
}

test.each(['deploy/monitoring/grafana.json', 'deploy/monitoring/alerts.yml'])(
  '%s asks for metrics that exist',
  (file) => {
    const asked = [...read(file).matchAll(/\bweft_[a-z_]+/g)].map(([name]) => name)
    expect(asked.length).toBeGreaterThan(5)
    expect([...metricNames()]).toEqual(expect.arrayContaining(asked))
    if (file.endsWith('.json')) expect(JSON.parse(read(file))).toMatchObject({ title: 'Weft' })
  },
)
