import { describe, expect, it } from 'vitest'
import { readConfig, readSettings } from '#lib/features/config.ts'
import { ConfigError, configReader } from '#lib/platform/config.ts'
import { count, privateKey } from '#lib/platform/config-checks.ts'
import { createScrubber } from '#lib/platform/log/scrub.ts'
import { env, featureSettings } from '#lib/platform/setting.ts'

const needed = {
  DATABASE_URL: 'postgres://weft:pw@localhost:5432/weft',
  CHAIN_TOKEN_KEY: 'ab'.repeat(32),
  SESSION_KEY: 'cd'.repeat(32),
}

function problems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('settings of a feature', () => {
  const example = featureSettings('example', {
    key: env('EXAMPLE_KEY', privateKey.optional(), { secret: true }),
    most: env('EXAMPLE_MOST', count.default(7)),
  })
  const reader = configReader([example])

  it('are checked with the others, and typed where they are read', () => {
    expect(example.of(reader.readSettings({}))).toEqual({ key: undefined, most: 7 })
    expect(() => reader.readSettings({ EXAMPLE_MOST: '0', PORT: '0' })).toThrow(
      /PORT must[\s\S]*EXAMPLE_MOST must/,
    )
    expect(reader.variables.map(({ name }) => name)).toContain('EXAMPLE_MOST')
  })

  it('are hidden in logs where they are secret', () => {
    const key = 'c0de'.repeat(16)
    const { secrets } = reader.readSettings({ EXAMPLE_KEY: key })
    expect(createScrubber({ EXAMPLE_KEY: key }, secrets)(`about ${key}`)).toBe('about [secret]')
  })
})

describe('configuration', () => {
  it('has a default for everything but the database and the token key', () => {
    const config = readConfig(needed)
    expect(config.siteOrigin).toBe('http://localhost:3000')
    expect(config.allowedOrigins).toEqual(['http://localhost:3000'])
    expect(config.allowedChainIds).toEqual([1, 11155111, 1337, 31337])
    expect(config.executeBlockTag).toBe('latest')
    expect(config.simulate.timeoutMs).toBe(15000)
    expect(config.maxDraftsPerOwner).toBe(1000)
    expect(config.chainRpcUrl).toBeUndefined()
    expect(config.chainTokenKey).toHaveLength(32)
  })

  it('lists every bad variable at once, each with its fix', () => {
    const found = problems({
      PORT: '70000',
      CHAIN_RPC_URL: 'not a url',
      EXECUTE_BLOCK_TAG: 'pending',
      CHAIN_TOKEN_KEY: 'short',
      ADMIN_ADDRESSES: '0x12',
      ALLOWED_ORIGINS: 'https://a.example/path',
      PUBLICATION_ENABLED: 'maybe',
    })
    expect(found).toEqual([
      'PORT must be a whole number from 1 to 65535',
      'CHAIN_RPC_URL must be a URL like https://rpc.example, or several separated by commas',
      'EXECUTE_BLOCK_TAG must be latest, safe or finalized',
      'PUBLICATION_ENABLED must be true or false',
      'CHAIN_TOKEN_KEY must be at least 32 bytes as hex or base64: take the output of `openssl rand -hex 32`',
      'ADMIN_ADDRESSES must be an address: 0x and 40 hex digits',
      'ALLOWED_ORIGINS must be an origin like https://weft.example, without a path',
      'DATABASE_URL is missing: set it to postgres://user:password@host:5432/name, or use `npm start`',
      'SESSION_KEY is missing: set it to the output of `openssl rand -hex 32`, or use `npm start`',
    ])
  })

  it('wants registry and runner together', () => {
    expect(problems({ ...needed, REGISTRY_ADDRESS: `0x${'1'.repeat(40)}` })).toEqual([
      'RUNNER_ADDRESS is missing: REGISTRY_ADDRESS is set, and the two belong together',
    ])
  })

  it('takes an empty variable for an unset one', () => {
    expect(readConfig({ ...needed, PORT: '', CHAIN_RPC_URL: ' ' }).port).toBe(3000)
  })

  it.each([
    ['NODE_CALLS_PER_DAY', '100000', /name a second node in CHAIN_RPC_URL/],
    ['ETHERSCAN_API_KEY', 'key', /set SOURCIFY_URL/],
    ['ETHERSCAN_URL', 'https://api.etherscan.io/v2/api', /set SOURCIFY_URL/],
    ['SMTP_URL', 'smtp://mail.example', /notices on the site/],
    ['MAIL_FROM', 'notices@weft.example', /notices on the site/],
    ['CHAINS', '8453,10', /one deployment for each chain/],
    ['CHAIN_RPC_URL_8453', 'https://base.example', /one deployment for each chain/],
    ['BLOCKSCOUT_URL', 'https://base.blockscout.com', /set SOURCIFY_URL/],
  ])('refuses %s of an earlier release with one sentence', (name, value, instead) => {
    const refusals = problems({ ...needed, [name]: value })
    expect(refusals).toEqual([expect.stringMatching(instead)])
    expect(refusals[0]).toMatch(new RegExp(`^${name} no longer exists: unset it and `))
    expect(() => readSettings({ [name]: value })).toThrow(instead)
    expect(problems({ ...needed, [name]: '' })).toEqual([])
  })

  it.each(['WORLD_FRAME_ANCESTORS', 'ALLOWED_ORIGINS', 'ASSET_ORIGIN', 'ASSISTANT_ENDPOINTS'])(
    'takes exact origins for %s',
    (name) => {
      const bad = [
        '*',
        'null',
        "'self'",
        'https:',
        'https://*',
        'https://*.example',
        'https://host.example/path',
        'https://host.example?query',
        'https://user@host.example',
        'https://:password@host.example',
        'https://host.example;script-src',
        "https://host.example'",
        'data:text/html',
        'javascript:alert(1)',
        'https://host.example https://evil.example',
      ]
      for (const value of bad) {
        const problem = `${name} must be an origin like https://weft.example, without a path`
        expect(problems({ ...needed, [name]: value }), value).toEqual([problem])
      }
      for (const value of [
        'https://host.example',
        'http://127.0.0.1:8080',
        'http://[::1]:3000',
        'https://münchen.example',
      ])
        expect(problems({ ...needed, [name]: value }), value).toEqual([])
    },
  )

  it('frames Worlds for no other origins by default', () => {
    expect(readConfig(needed).worldFrameAncestors).toEqual([])
    const named = readConfig({
      ...needed,
      WORLD_FRAME_ANCESTORS: 'https://a.example, https://B.example:8443/',
    })
    expect(named.worldFrameAncestors).toEqual(['https://a.example', 'https://b.example:8443'])
  })

  it('reads keys as hex and as base64', () => {
    const bytes = Buffer.alloc(40, 7)
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const config = readConfig({ ...needed, CHAIN_TOKEN_KEY: bytes.toString(encoding) })
      expect(Buffer.from(config.chainTokenKey)).toEqual(bytes)
    }
  })

  it('allows the embedded stack to set missing values', () => {
    expect(readSettings({}).databaseUrl).toBeUndefined()
    expect(() => readSettings({ DATABASE_URL: 'mysql://x' })).toThrow(
      /DATABASE_URL must be a URL like postgres:/,
    )
  })

  it('reads sites of other chains', () => {
    const SISTER_SITES = 'Base=https://base.weft.example, OP Mainnet = https://op.weft.example'
    expect(readConfig({ ...needed, SISTER_SITES }).sisterSites).toEqual([
      { name: 'Base', origin: 'https://base.weft.example' },
      { name: 'OP Mainnet', origin: 'https://op.weft.example' },
    ])
    expect(readConfig(needed).sisterSites).toEqual([])
  })

  it.each([
    'Base',
    'Base=base.weft.example',
    '=https://a.example',
    'Base=https://a.example/path',
    'B=javascript:1',
  ])('refuses %s as a site of another chain', (SISTER_SITES) => {
    expect(problems({ ...needed, SISTER_SITES })).toEqual([
      'SISTER_SITES must be at most 24 sites like Base=https://base.weft.example, separated by commas',
    ])
  })

  it('tells a connector that is shown first from a World of the same name', () => {
    expect(readConfig({ ...needed, FEATURED: 'weave,worlds/harp, worlds/weave' }).featured).toEqual({
      connectors: ['weave'],
      worlds: ['harp', 'weave'],
    })
    expect(problems({ ...needed, FEATURED: 'piano-roll' })).toEqual([
      'FEATURED must be names of connectors, and worlds/SLUG for Worlds, separated by commas',
    ])
  })
})
