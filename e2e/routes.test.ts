import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { PACKAGES } from '#scripts/npm-package/packages.ts'
import { until } from '#test/support/until.ts'

/*
 * Paths and request lines reach the dispatcher as they were sent; what it does with them is tested without a build.
 */

const { chainApi, site } = inject('endpoints')

/** A request as `fetch` would not send it. */
function statusOf(url: string, options: { readonly path?: string; readonly method?: string }) {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

test.each([
  ['/connector/%70itch', 200],
  ['/%63onnector/pitch', 200],
  ['/connector/pit%2Fch', 400],
  ['/connector/%00', 400],
  ['/connector/pitch%20', 400],
  ['/accounts?limit=5&limit=5', 400],
  ['/accounts?limit=%35', 200],
  ['/accounts?limit=5&after=%zz', 400],
  ['/connector/%zz', 400],
  ['/connector/%E0%A4%A', 400],
  ['/version/', 200],
  ['//version', 404],
])('%s is %i: the path reaches the dispatcher as it was sent', async (path, status) => {
  expect((await fetch(chainApi + path)).status).toBe(status)
})

test('a method that the web has no name for is 405, an asterisk in place of a path 400', async () => {
  expect(await statusOf(`${chainApi}/version`, { method: 'TRACE' })).toBe(405)
  expect(await statusOf(new URL(chainApi).origin, { path: '*' })).toBe(400)
})

/** The answer to a read, once the machine is not too busy to read. */
async function answerTo(path: string): Promise<Response> {
  let answer = await fetch(site + path)
  await until(`${path} is read`, async () => {
    if (answer.status === 503) answer = await fetch(site + path)
    return answer.status !== 503
  })
  return answer
}

test('the icon that browsers ask for beside an API is there', async () => {
  const { status, headers } = await fetch(`${site}/favicon.ico`)
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

/** Status and target of an answer, not followed. */
async function leadsTo(path: string) {
  const { status, headers } = await fetch(site + path, { redirect: 'manual' })
  return [status, headers.get('location')]
}

test.each([
  ['/about', '/docs/concepts'],
  ['/tutorial/', '/tutorial'],
  ['/gallery?surface=studio-plugin', '/worlds?surface=studio-plugin'],
  ['/c/tutorial_threshold_pass_v1', '/connectors/tutorial_threshold_pass_v1'],
])('%s of the original network redirects to %s', async (path, page) => {
  expect(await leadsTo(path)).toEqual([308, page])
})

test.each([
  '/c//evil.example',
  '/c/%2f%2fevil.example',
  '/c/..%2f..%2fevil.example',
  '/u/evil.example',
  '/f/x',
])('%s leads nowhere else', async (path) => {
  const { status, url } = await fetch(site + path)
  expect(status).toBe(404)
  expect(new URL(url).origin).toBe(new URL(site).origin)
})

test('pages that the original network names lead to pages that are there', async () => {
  for (const path of ['/about', '/tutorial', '/sdk', '/api-reference', '/map', '/gallery', '/c/pitch'])
    expect((await answerTo(path)).status, path).toBe(200)
})

test('headers that a route sets itself win over those of pages', async () => {
  const piece = await answerTo('/connectors/weave/piece.html')
  expect(piece.status).toBe(200)
  expect(Object.fromEntries(piece.headers)).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; sandbox allow-scripts$/),
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  })
  const source = await answerTo('/worlds/cloth/source/file?path=index.html')
  expect(source.status).toBe(200)
  expect(Object.fromEntries(source.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  })
})

test('the site serves the tarballs of the packages, and npm runs one from there, without a registry', async () => {
  for (const { tarball } of PACKAGES) {
    const answer = await fetch(`${site}/downloads/${tarball}`)
    expect(answer.status, tarball).toBe(200)
    expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 2)]).toEqual([0x1f, 0x8b])
  }
  expect((await fetch(`${site}/downloads/weft.tgz`)).status).toBe(404)
  const folder = mkdtempSync(join(tmpdir(), 'weft-downloads-'))
  try {
    const command = `--yes --package=${site}/downloads/weft-cli.tgz weft simulate pitch -n 4`
    const { stdout } = await promisify(execFile)('npx', command.split(' '), {
      cwd: folder,
      env: {
        ...process.env,
        WEFT: site,
        npm_config_cache: join(folder, 'cache'),
        npm_config_registry: 'http://127.0.0.1:9',
        npm_config_update_notifier: 'false',
      },
    })
    expect(stdout).toContain('/pitch:0 0 1 2 3')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
