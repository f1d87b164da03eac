import { describe, expect, inject, test } from 'vitest'

const { site, servicesApi } = inject('endpoints')

describe('what Worlds need of the built site', () => {
  test('pages let a World lead its frame nowhere but to Worlds', async () => {
    for (const path of ['/', '/feed', '/nowhere']) {
      const { headers } = await fetch(site + path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain(`frame-src ${site}/services/world-assets/`)
      expect(policy).toContain("frame-ancestors 'self'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('the APIs have policies of their own', async () => {
    for (const path of ['/chain/version', '/services/health', '/services/js/sdk/world-host.js']) {
      expect((await fetch(site + path)).headers.get('content-security-policy')).toBeNull()
    }
  })

  test.each(['world-runtime.js', 'world-host.js'])(
    '%s is served to frames without an origin',
    async (file) => {
      const response = await fetch(`${servicesApi}/js/sdk/${file}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(await response.text()).toContain('dcn:world-ready')
      const etag = response.headers.get('etag') ?? ''
      const again = await fetch(`${servicesApi}/js/sdk/${file}`, { headers: { 'If-None-Match': etag } })
      expect(again.status).toBe(304)
    },
  )

  test('unknown files and modules are 404, in words or empty', async () => {
    const asset = await fetch(`${servicesApi}/world-assets/wld_unknown/index.html`)
    expect([asset.status, await asset.text()]).toEqual([404, 'No such file'])
    expect((await fetch(`${servicesApi}/js/sdk/other.js`)).status).toBe(404)
  })
})
