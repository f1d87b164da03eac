import { unstable_doesMiddlewareMatch as isAsked } from 'next/experimental/testing/server.js'
import { NextRequest } from 'next/server.js'
import { describe, expect, test, vi } from 'vitest'
import { sendPageHeadersOurselves } from '#lib/server/page-policy/page-headers.ts'
import { config, proxy } from '../../../proxy.ts'

const WISHED = "script-src 'nonce-wished' 'unsafe-inline'"
const PAGE = 'http://localhost:3000/studio'

/** The policy headers that the browser and the page receive. */
function answer(headers: Record<string, string>) {
  const answered = proxy(new NextRequest(PAGE, { headers })).headers
  return {
    browser: answered.get('content-security-policy'),
    page: answered.get('x-middleware-request-content-security-policy'),
  }
}

describe('where Next serves pages directly', () => {
  test.each([{}, { 'content-security-policy': WISHED }])('%j gets our policy', (headers) => {
    expect(isAsked({ config, url: PAGE, headers })).toBe(true)
    const { browser, page } = answer(headers)
    expect(browser).toMatch(/script-src 'self' 'nonce-[\w-]{24}'/)
    expect(browser).not.toContain('wished')
    expect(page).toBe(browser)
  })

  test.each([
    '/chain/version',
    '/services/worlds',
    '/studio/api/preview',
    '/mcp',
    '/mcp/account',
    '/_next/static/a.js',
    '/connectors/weave/piece.html',
    '/worlds/cloth/source/file',
  ])('%s has headers of its own', (path) => {
    expect(isAsked({ config, url: path })).toBe(false)
  })
})

test("the site's own server alone sets the headers of pages in its process", () => {
  vi.stubGlobal('weftSendsPageHeaders', false)
  sendPageHeadersOurselves()
  expect(answer({ 'content-security-policy': WISHED })).toEqual({ browser: null, page: null })
})
