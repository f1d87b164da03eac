import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOADER, PageRewriter, runScriptsAfterPaint } from '../../scripts/site/scripts-after-paint.ts'

/* As the framework writes them: in the head, and at the end of the body. */
const script = (name: string) => `<script src="/_next/static/chunks/${name}.js" async="" nonce="n0"></script>`
const last = (name: string) =>
  `<script src="/_next/static/chunks/${name}.js" nonce="n0" id="_R_" async=""></script>`
const PAGE =
  `<html><head>${script('one')}<script src="/_next/old.js" noModule=""></script>${script('two')}</head>` +
  `<body><p>Größe 🧵</p>${last('main')}<script nonce="n0">self.flight=[]</script>${script('late')}</body></html>`

function rewrite(pieces: readonly Buffer[]): string {
  const rewriter = new PageRewriter()
  return Buffer.concat([...pieces.map((piece) => rewriter.next(piece)), rewriter.last()]).toString()
}

describe('a page', () => {
  const whole = rewrite([Buffer.from(PAGE)])

  test('leaves its first scripts to what waits for the paint', () => {
    for (const name of ['one', 'two']) expect(whole).not.toContain(script(name))
    expect(whole).not.toContain(last('main'))
    const scripts = [
      ['/_next/static/chunks/one.js', ''],
      ['/_next/static/chunks/two.js', ''],
      ['/_next/static/chunks/main.js', '_R_'],
    ]
    const attribute = JSON.stringify(scripts).replaceAll('"', '&quot;')
    // Its text is the one that the pages' policy names.
    expect(whole).toContain(`<script data-scripts="${attribute}">${LOADER}</script>`)
  })

  test('keeps what is not such a script, and what comes after the program began', () => {
    expect(whole).toContain('<script src="/_next/old.js" noModule=""></script>')
    expect(whole).toContain(script('late'))
    expect(whole).toContain('<p>Größe 🧵</p>')
  })

  test('comes out the same wherever it is cut', () => {
    const bytes = Buffer.from(PAGE)
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(rewrite([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(whole)
    }
    expect(rewrite([...bytes].map((byte) => Buffer.from([byte])))).toBe(whole)
  })
})

describe('a response', () => {
  let server: Server
  let origin: string
  beforeAll(async () => {
    server = createServer((request, response) => {
      runScriptsAfterPaint(response)
      const type = request.url === '/page' ? 'text/html; charset=utf-8' : 'text/plain'
      response.writeHead(200, { 'Content-Type': type })
      response.write(PAGE.slice(0, 40))
      response.end(PAGE.slice(40))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  test('that is a page is changed, whatever else is not', async () => {
    expect(await (await fetch(`${origin}/page`)).text()).toBe(rewrite([Buffer.from(PAGE)]))
    expect(await (await fetch(`${origin}/text`)).text()).toBe(PAGE)
  })
})
