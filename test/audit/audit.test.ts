import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findAdvisories, readExceptions } from '../../scripts/audit/advisories.ts'
import { forbiddenLicences } from '../../scripts/audit/licences.ts'
import { listen } from '../support/listen.ts'

/* The real npm against a local registry that lists vulnerabilities. */

const GHSA = 'GHSA-aaaa-bbbb-cccc'
function advisory(name: string, severity: string) {
  return {
    [name]: [
      {
        // npm caches advisories by id.
        id: severity.length,
        url: `https://github.com/advisories/${GHSA}`,
        title: `Reads too much of ${name}`,
        severity,
        vulnerable_versions: '<2.0.0',
        cwe: [],
        cvss: { score: 8, vectorString: null },
      },
    ],
  }
}

let folder: string
let registry: Server
let answer: (asked: Record<string, string[]>) => unknown = () => ({})
let asked: Record<string, string[]> = {}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-audit-'))
  const dependencies = { safe: '1.0.0', shaky: '1.0.0' }
  const packages = {
    '': { name: 'project', version: '1.0.0', dependencies, devDependencies: { tool: '1.0.0' } },
    'node_modules/safe': { version: '1.0.0', license: 'MIT' },
    'node_modules/shaky': { version: '1.0.0', license: '(GPL-3.0-only OR ISC)' },
    'node_modules/tool': { version: '1.0.0', dev: true, license: 'GPL-3.0-only' },
    'node_modules/safe/node_modules/@of/inner': { version: '0.1.0', license: 'MIT AND LGPL-3.0-only' },
    'node_modules/mute': { version: '3.0.0' },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packages['']))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  )
  registry = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'application/json')
    if (request.url !== '/-/npm/v1/security/advisories/bulk') return response.writeHead(404).end('{}')
    asked = JSON.parse(await bodyOf(request)) as typeof asked
    response.end(JSON.stringify(answer(asked)))
  })
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${await listen(registry)}/`)
  vi.stubEnv('npm_config_cache', join(folder, 'cache'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  registry?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

function find(exceptions: Parameters<typeof findAdvisories>[1] = [], today = '2026-06-01') {
  return findAdvisories(folder, exceptions, today)
}

describe('known vulnerabilities', () => {
  test('are queried for the production dependencies', async () => {
    answer = () => ({})
    expect(await find()).toEqual({ problems: [], unknown: undefined })
    expect(asked).toMatchObject({ safe: ['1.0.0'], shaky: ['1.0.0'] })
    expect(asked).not.toHaveProperty('tool')
  })

  test('fail when they are severe, until an exception’s last day', async () => {
    answer = () => advisory('shaky', 'high')
    const said = `shaky <2.0.0 (high): Reads too much of shaky, https://github.com/advisories/${GHSA}`
    expect((await find()).problems).toEqual([said])
    const exception = { advisory: GHSA, package: 'shaky', reason: 'It never reads.', until: '2026-06-01' }
    expect(await find([exception])).toEqual({ problems: [], unknown: undefined })
    expect((await find([exception], '2026-06-02')).problems).toEqual([
      `${said}; it was let through until 2026-06-01`,
    ])
    expect((await find([{ ...exception, package: 'safe' }])).problems).toEqual([said])
    answer = () => advisory('shaky', 'moderate')
    expect((await find()).problems).toEqual([])
  })

  test('are unknown where the registry is unreachable', async () => {
    const before = process.env.npm_config_registry
    for (const nowhere of ['http://127.0.0.1:9/', `${before}elsewhere/`]) {
      vi.stubEnv('npm_config_registry', nowhere)
      const { problems, unknown } = await find()
      expect({ nowhere, problems }).toEqual({ nowhere, problems: [] })
      expect(unknown, nowhere).toMatch(/\w/)
    }
    vi.stubEnv('npm_config_registry', before)
  })
})

describe('licences', () => {
  test('of production must be permissive, in one of the ways they offer', () => {
    expect(forbiddenLicences(folder, [])).toEqual([
      '@of/inner 0.1.0 is under MIT AND LGPL-3.0-only',
      'mute 3.0.0 is under no licence that it names',
    ])
    const reason = 'for this test only'
    expect(
      forbiddenLicences(folder, [
        { package: '@of/*', licence: 'LGPL-3.0-only', reason },
        { package: 'mute', licence: 'none', reason },
      ]),
    ).toEqual([])
  })

  test('of our own dependencies are, on every platform, with exceptions that are all needed', () => {
    const { licences } = readExceptions('scripts/audit/exceptions.json')
    expect(forbiddenLicences(process.cwd(), licences)).toEqual([])
    for (const each of licences) {
      const others = licences.filter((other) => other !== each)
      expect(forbiddenLicences(process.cwd(), others), each.package).not.toEqual([])
    }
  })
})

test('exceptions without a reason or a day are none', () => {
  const path = join(folder, 'exceptions.json')
  cpSync('scripts/audit/exceptions.json', path)
  expect(readExceptions(path).licences.length).toBeGreaterThan(0)
  for (const advisories of [
    [{ advisory: GHSA, package: 'x', reason: 'because', until: '2026-06-01' }],
    [{ advisory: GHSA, package: 'x', reason: 'because it is never reached by anybody', until: 'later' }],
    [{ advisory: GHSA, package: 'x', reason: 'because it is never reached by anybody' }],
  ]) {
    writeFileSync(path, JSON.stringify({ advisories, licences: [] }))
    expect(() => readExceptions(path)).toThrow()
  }
})
