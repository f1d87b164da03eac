import { createServer, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCertificate } from '../../lib/engine/proof/certificate.ts'
import { runHref } from '../../lib/protocol/run-link.ts'
import { WEFT_RUN_SCRIPT } from '../../lib/ui/piece/weft-run/built/weft-run-script.ts'
import { OWN_NODES_SCRIPT } from '../../lib/ui/run/prove/built/own-nodes-script.ts'
import { launchBrowser, WITHOUT_GPU } from '../../scripts/browser/launch.ts'
import { listen } from '../support/listen.ts'
import { CASES } from './cases.ts'
import { changed } from './changes.ts'
import certificates from './vectors.json' with { type: 'json' }

const TEXTS = Object.fromEntries(
  Object.entries(certificates).map(([name, one]) => [name, JSON.stringify(one)]),
)
const LIE = CASES.find(({ name }) => name === 'a bit of a value')

let browser: Browser
const servers: Server[] = []
let site: string
/** Another origin, whose pages carry the body that a test gave. */
let elsewhere: string
let body = ''
const asked: string[] = []

beforeAll(async () => {
  browser = await launchBrowser(WITHOUT_GPU)
  site = await serve((path) => {
    asked.push(path)
    if (path === '/weft-run.js') return { 'Content-Type': 'text/javascript', body: WEFT_RUN_SCRIPT }
    const text = TEXTS[/^\/run\/(\w+)\/certificate/.exec(path)?.[1] ?? '']
    if (text === undefined) return { status: 404, body: 'The registry had no such connector.' }
    return { body: text }
  })
  elsewhere = await serve((path) =>
    path === '/lie.weft.json'
      ? { body: changed(TEXTS, LIE?.of ?? 'tree', LIE?.changes ?? []) }
      : {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': `default-src 'none'; script-src ${site}; connect-src 'self' ${site} http://127.0.0.1:9; require-trusted-types-for 'script'; base-uri 'none'`,
          body: `<!doctype html><html lang="en"><title>Elsewhere</title><script src="${site}/weft-run.js" defer></script><main>${body}</main>`,
        },
  )
})
afterAll(async () => {
  await browser?.close()
  for (const server of servers) server.close()
})

async function serve(answer: (path: string) => { body: string; status?: number } & Record<string, unknown>) {
  const server = createServer((request, response) => {
    const { body: text, status = 200, ...headers } = answer(request.url ?? '')
    response.writeHead(status, { 'Access-Control-Allow-Origin': '*', ...(headers as Record<string, string>) })
    response.end(text)
  })
  servers.push(server)
  return `http://127.0.0.1:${await listen(server)}`
}

/** Address of the page of the run that a vector certifies. */
async function runOf(name: string, at = site): Promise<string> {
  const { connector, count, starts } = await readCertificate(TEXTS[name] as string)
  return at + runHref({ connector, count, dynamicRi: starts })
}

function tag(href: string, certificate?: string): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<weft-run href="${escaped(href)}"${certificate ? ` certificate="${escaped(certificate)}"` : ''}></weft-run>`
}

test('runs are verified on a page of another origin under a strict policy, and lies are refuted', async () => {
  const { tree: text = '' } = TEXTS
  const tree = await runOf('tree')
  const silent = 'http://127.0.0.1:9'
  const cases = [
    [tag(tree), 'proven', /^Proven: the \d+ values/],
    // Nothing is fetched: the certificate is part of the page.
    [tag(await runOf('tree', silent), text), 'proven', /^Proven: /],
    [tag(await runOf('clock')), 'proven', /reading the fields of block \d+/],
    [tag(await runOf('never')), 'proven', /^Proven: the rejection/],
    [tag(tree, '/lie.weft.json'), 'refuted', /^The values differ: /],
    [tag(`${site}/run/tree?count=7`), 'refuted', /another run/],
    [tag(await runOf('tree', silent)), 'undecided', /^No certificate came from 127\.0\.0\.1:9/],
    [tag(`${site}/run/unknown?count=7`), 'undecided', /The registry had no such connector\.$/],
    [tag(tree, '{'), 'refuted', /no certificate/],
  ] as const
  body = cases.map(([html]) => html).join('') + tag('/nothing')
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(elsewhere)
  await page.waitForFunction(
    (count) =>
      [...document.querySelectorAll('weft-run')].filter((one) =>
        one.shadowRoot?.querySelector('.mark[data-verdict]'),
      ).length === count,
    cases.length,
  )
  const runs = await page.locator('weft-run').all()
  for (const [i, [, verdict, sentence]] of cases.entries()) {
    const run = runs[i] as (typeof runs)[number]
    expect.soft(await run.locator('.mark').getAttribute('data-verdict'), `case ${i}`).toBe(verdict)
    expect.soft(await run.locator('p').textContent(), `case ${i}`).toMatch(sentence)
  }
  // The mark leads to the proof; what is drawn and listed are the numbers of the certificate.
  const [first, , clock, rejected, lie] = runs
  expect(await first?.locator('.facts').textContent()).toBe(
    '4 paths, 16 particles each, re-checkable for ever',
  )
  expect(await clock?.locator('.facts').textContent()).toMatch(/, depends on the block$/)
  expect(await lie?.locator('.facts').textContent()).not.toMatch(/for ever|the block/)
  expect(await first?.locator('.mark').getAttribute('href')).toBe(`${tree}&at=newest#provenance`)
  expect(await first?.getByRole('img').getAttribute('aria-label')).toBe('4 paths, the first 4 drawn')
  expect(await first?.locator('dd').count()).toBe(4)
  expect(await rejected?.getByRole('img').count()).toBe(0)
  expect(await lie?.getByRole('img').count()).toBe(0)
  await page.getByText('href is not the address of a run').waitFor()
  // What cannot be reached is all that the browser reports: no policy was violated.
  expect(complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([])
  expect(asked.filter((path) => path.startsWith('/run/tree'))).toHaveLength(2)
  await page.close()
})

test('the scripts stay small', () => {
  expect(gzipSync(WEFT_RUN_SCRIPT).length).toBeLessThan(40_000)
  // The whole page that proves a run by nodes of the reader's choice.
  expect(gzipSync(OWN_NODES_SCRIPT).length).toBeLessThan(60_000)
})
