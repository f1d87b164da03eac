import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PolicySettings } from '#lib/server/page-policy/page-headers.ts'
import { pageHeaders } from '#lib/server/page-policy/page-headers.ts'

const LOCAL: PolicySettings = {
  siteOrigin: 'http://localhost:3000',
  assetOrigin: undefined,
  walletConnectProjectId: undefined,
  rpcUrl: undefined,
  inlineScripts: ['one()', 'two()'],
}
const PUBLIC: PolicySettings = {
  ...LOCAL,
  siteOrigin: 'https://weft.example',
  assetOrigin: 'https://worlds.example',
  walletConnectProjectId: 'a'.repeat(32),
  rpcUrl: 'https://rpc.example/v3/key?of=somebody',
}

/** The policy of a page, directive by directive. */
function policyOf(settings: PolicySettings): Map<string, string> {
  const policy = pageHeaders(settings)('/')['Content-Security-Policy']
  return new Map(
    policy.split('; ').map((each) => {
      const [name = '', ...sources] = each.split(' ')
      return [name, sources.join(' ').replace(/'nonce-[\w-]{24}'/, 'NONCE')]
    }),
  )
}

describe('the policy of our pages', () => {
  test('allows MIDI and passkeys to our own pages, and the microphone to none', () => {
    const allowed = pageHeaders(PUBLIC)('/studio')['Permissions-Policy']?.split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining([
        'midi=(self)',
        'publickey-credentials-create=(self)',
        'publickey-credentials-get=(self)',
      ]),
    )
    expect(allowed).toContain('microphone=()')
  })

  test('names which scripts run, and evaluates nothing', () => {
    const hashes = LOCAL.inlineScripts.map(
      (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
    expect(Object.fromEntries(policyOf(LOCAL))).toEqual({
      'default-src': "'self'",
      'script-src': `'self' NONCE ${hashes.join(' ')} 'strict-dynamic'`,
      'style-src': "'self' NONCE",
      'style-src-attr': "'unsafe-inline'",
      'img-src': "'self' data: blob: http://localhost:3000 http://127.0.0.1:3000",
      'font-src': "'self'",
      'media-src': "'self'",
      'manifest-src': "'self'",
      'worker-src': "'self'",
      'connect-src': "'self'",
      'frame-src':
        'http://localhost:3000/services/world-assets/ http://127.0.0.1:3000/services/world-assets/',
      'frame-ancestors': "'none'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
    })
  })

  test('names the hosts that a public site may reach, and nothing of an address but the host', () => {
    const policy = policyOf(PUBLIC)
    expect(policy.get('connect-src')).toMatch(
      /^'self' https:\/\/rpc\.example wss:\/\/relay\.walletconnect\.com /,
    )
    expect(policy.get('frame-src')).toBe('https://worlds.example/services/world-assets/')
    expect(policy.get('img-src')).toBe("'self' data: blob: https://worlds.example")
    expect(policy.has('upgrade-insecure-requests')).toBe(true)
  })

  test('names the bucket that pages send large bundles to', () => {
    const policy = policyOf({ ...LOCAL, uploadOrigin: 'https://s3.example' })
    expect(policy.get('connect-src')).toBe("'self' https://s3.example")
  })

  test('lets the studio alone reach the endpoints of assistants', () => {
    const studioEndpoints = ['https://api.example', 'http://localhost:11434']
    const headersOf = pageHeaders({ ...LOCAL, studioEndpoints })
    const reached = (path: string) =>
      /connect-src ([^;]*);/.exec(headersOf(path)['Content-Security-Policy'])?.[1]
    expect(reached('/studio')).toBe("'self' https://api.example http://localhost:11434")
    for (const path of [
      '/',
      '/studio/',
      '/studios',
      '/studio/api/preview',
      '/run/studio',
      '/embed/run/studio',
      '/STUDIO',
    ])
      expect(reached(path), path).toBe("'self'")
    expect(pageHeaders(LOCAL)('/studio')['Content-Security-Policy']).toContain("connect-src 'self';")
  })

  test('has another nonce in every answer, the same for scripts and styles', () => {
    const headersOf = pageHeaders(LOCAL)
    const nonces = Array.from({ length: 100 }, () => {
      const all = headersOf('/')['Content-Security-Policy'].match(/'nonce-[\w-]{24}'/g) ?? []
      expect(all).toEqual([all[0], all[0]])
      return all[0]
    })
    expect(new Set(nonces).size).toBe(100)
  })

  test('is looser for a development server only', () => {
    const development = policyOf({ ...LOCAL, development: true })
    expect(development.get('script-src')).toContain("'unsafe-eval'")
    expect(development.get('script-src')).not.toContain("'unsafe-inline'")
  })
})

describe('framing', () => {
  test('is allowed to every site for players, and to none for any other page', () => {
    const headersOf = pageHeaders(PUBLIC)
    for (const path of ['/embed/connector/weave', '/embed/run/weave']) {
      const headers = headersOf(path)
      expect(headers['Content-Security-Policy']).toContain('; frame-ancestors *;')
      expect(headers).not.toHaveProperty('X-Frame-Options')
    }
    for (const path of [
      ...['/', '/studio', '/account', '/connectors/weave', '/run/weave', '/embed', '/embed/x/weave'],
      ...['/embed/connector/weave/x', '/embed/connector/', '/x/embed/connector/weave', '/embed/run//'],
    ]) {
      const headers = headersOf(path)
      expect(headers['Content-Security-Policy']).toContain("; frame-ancestors 'none';")
      expect(headers['X-Frame-Options']).toBe('DENY')
    }
  })
})

describe('the other headers', () => {
  test('require HTTPS only where the site has it', () => {
    expect(pageHeaders(PUBLIC)('/')).toMatchObject({
      'Strict-Transport-Security': 'max-age=31536000',
      'Cross-Origin-Opener-Policy': 'same-origin',
    })
    expect(pageHeaders(LOCAL)('/')).not.toHaveProperty('Strict-Transport-Security')
  })

  test('omit headers that browsers warn about on plain HTTP', () => {
    expect(pageHeaders({ ...LOCAL, siteOrigin: 'http://studio.lan' })('/')).not.toHaveProperty(
      'Cross-Origin-Opener-Policy',
    )
  })

  test('let other sites show pictures, and nothing else', () => {
    const headersOf = pageHeaders(LOCAL)
    const resource = (path: string) => headersOf(path)['Cross-Origin-Resource-Policy']
    expect(['/run/weave/image', '/pictures/connector/weave.png'].map(resource)).toEqual(
      Array(2).fill('cross-origin'),
    )
    expect(['/', '/run/weave', '/run/weave/image/x', '/studio'].map(resource)).toEqual(
      Array(4).fill('same-origin'),
    )
  })
})
