import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { liftInlineScripts } from '#lib/compute/bundle/lift-inline-scripts.ts'
import { preludeFor } from '#lib/core/worlds/sdk/prelude.ts'

function text(bytes: Uint8Array | undefined) {
  return new TextDecoder().decode(bytes)
}
const name = expect.stringMatching(/^inline-[0-9a-f]{16}\.js$/)

/** Result of `liftInlineScripts`, the guard of the page aside. */
function lift(html: string, path = 'index.html') {
  const lifted = liftInlineScripts(html, path)
  const files = lifted.files.slice(1)
  return {
    ...lifted,
    html: lifted.html.replace(GUARD, ''),
    files,
    scripts: files.map(({ bytes }) => text(bytes)),
  }
}

const GUARD = /<script src="\.\/inline-[0-9a-f]{16}\.js"><\/script>/

/** Formatting elements left open are opened again in every paragraph. */
function copied(formats: number, paragraphs: number): string {
  const open = Array.from({ length: formats }, (_, i) => `<b id=${i}>`).join('')
  return `<p>${open}${'<p>x'.repeat(paragraphs)}`
}

describe('liftInlineScripts', () => {
  test.each([
    ['<!doctype html><html lang="en"><head><title>', '<!doctype html><html lang="en"><head>', '<title>'],
    ['<!doctype html><html><title>', '<!doctype html><html>', '<title>'],
    ['<!-- a --><!doctype html>\n<p>', '<!-- a --><!doctype html>', '\n<p>'],
    ['<a href="x">', '', '<a href="x">'],
    ['<script src="a.js"></script><head>', '', '<script src="a.js"></script><head>'],
    ['<script src="a.js"></script><html lang="en">', '', '<script src="a.js"></script><html lang="en">'],
    ['', '', ''],
  ])('the guard is the first script of %j', (page, before, after) => {
    const { html, files } = liftInlineScripts(page, 'a/index.html')
    expect(html.split(GUARD)).toEqual([before, after])
    expect(files).toHaveLength(1)
    expect(html).toContain(`"./${files[0]?.path.slice(2)}"`)
    const scripts = html.matchAll(/<script src="([^"]*)/g)
    expect(scripts.next().value?.[1]).toMatch(/inline-/)
  })

  test('a page without inline scripts stays as it is, byte for byte', () => {
    const html = `<!doctype html>\r\n<TITLE>a</title><p class=x>é<script SRC='a.js' defer></script><br/>`
    expect(lift(html)).toMatchObject({ html, files: [], warnings: [] })
  })

  test('classic scripts run where they stood: no async, no defer, other attributes retained', () => {
    const { html, files, scripts } = lift(
      `<p>1</p><script id="a&amp;b" async defer data-x='"'>let x = 1 < 2 && "é"</script><p>2</p>`,
    )
    expect(scripts).toEqual([`let x = 1 < 2 && "é"`])
    expect(html).toBe(
      `<p>1</p><script id="a&amp;b" data-x="&quot;" src="./${files[0]?.path}"></script><p>2</p>`,
    )
  })

  test('modules stay modules and retain async', () => {
    const { html, files } = lift(`<script type=Module async nonce=x>import './a.js'</script>`)
    expect(html).toBe(`<script type="Module" async="" src="./${files[0]?.path}"></script>`)
  })

  test('the files lie beside their page, so that relative imports lead where they led', () => {
    const { html, files } = lift(`<script>1</script>`, 'a b/ü/page.html')
    expect(files[0]?.path).toMatch(/^a b\/ü\/inline-[0-9a-f]{16}\.js$/)
    expect(html).toContain(`src="./${files[0]?.path.split('/').at(-1)}"`)
    expect(files[0]?.path.split('/').at(-1)).toEqual(name)
  })

  test('equal scripts get files of their own: an equal module would run once only', () => {
    const { files } = lift(`<script type=module>tick()</script><script type=module>tick()</script>`)
    expect(new Set(files.map(({ path }) => path)).size).toBe(2)
  })

  test('the same page yields the same names', () => {
    const html = '<script>1</script><script>2</script>'
    expect(lift(html).files).toEqual(lift(html).files)
  })

  test.each([
    ['data', `<script type="application/json">{"a": 1}</script>`],
    ['shaders', `<script type="x-shader/x-vertex">void main() {}</script>`],
    ['import maps', `<script type="importmap">{}</script>`],
    ['unknown languages', `<script language="vbscript">MsgBox</script>`],
    ['a script with a source', `<script src="a.js">ignored()</script>`],
    ['an empty script', `<script>  </script>`],
    ['an unclosed script, which never runs', `<p>x</p><script>alert(1)`],
    ['text that looks like a script', `<textarea><script>1</script></textarea><!-- <script>2</script> -->`],
    ['an SVG script with a source', `<svg><script href="a.js"/></svg>`],
  ])('%s stays', (_title, html) => {
    expect(lift(html)).toMatchObject({ html, files: [] })
  })

  test.each([
    ['text/javascript', 'text/javascript'],
    ['an empty type', ''],
    ['legacy types in any case', ' Text/JScript '],
  ])('%s runs, so it is lifted', (_title, type) => {
    expect(lift(`<script type="${type}">1</script>`).files).toHaveLength(1)
  })

  test('templates, declarative shadow roots and SVG are searched', () => {
    const { html, scripts } = lift(
      `<template><script>1</script></template><div><template shadowrootmode=open><script>2</script></template></div><svg><script>3 &lt; 4</script></svg>`,
    )
    expect(scripts).toEqual(['1', '2', '3 < 4'])
    expect(html).not.toMatch(/>\d/)
    expect(html).toMatch(/<svg><script href="\.\/inline/)
  })

  test('a script ends where browsers end it', () => {
    const { scripts } = lift(`<script>"<!--<script>"; a("</script>") //--></script><script>b</script>`)
    expect(scripts).toEqual([`"<!--<script>"; a("</script>") //-->`, 'b'])
  })

  test('integrity goes, because served scripts have another beginning', () => {
    const { html, warnings } = lift(
      `<script src="a.js" integrity="sha256-x" defer></script><link rel=modulepreload href=b.js integrity=y>`,
    )
    expect(html).not.toContain('integrity')
    expect(html).toContain('defer')
    expect(warnings.join()).toContain('integrity')
  })

  test('what cannot work is reported once, with the page and a remedy', () => {
    const { warnings } = lift(
      `<base href=x><button onclick="a()"><button onclick="b()"><a href=" java\nscript:a()">x</a>
       <img src="https://cdn.example/a.png"><iframe src=x></iframe><script type=importmap>{}</script>
       <meta http-equiv=Refresh content="0;url=x"><form action=/x></form><img srcset="a.png 1x, //b/c.png 2x">
       <a href="https://fine.example/">link</a>`,
      'p.html',
    )
    expect(warnings).toEqual([
      'p.html: the base element is ignored',
      'p.html: the inline handler onclick will not run; use addEventListener',
      'p.html: javascript: URLs will not run; use addEventListener',
      'p.html: https://cdn.example/a.png will not load; put the file into the bundle',
      'p.html: the element iframe will not load anything',
      'p.html: import maps are not supported; import by relative paths',
      'p.html: the page cannot lead elsewhere by a refresh',
      'p.html: forms cannot be sent anywhere',
      'p.html: a.png 1x, //b/c.png 2x will not load; put the file into the bundle',
    ])
  })

  test.each([
    ['deep nesting', '<b>'.repeat(100_000), 'page.html nests deeper than 512 elements'],
    ['elements that parsers copy', copied(400, 2000), 'page.html becomes more than 200000 elements'],
    ['end tags of nothing', '</x>'.repeat(200_000), 'page.html has more than 100000 tags'],
  ])('%s is refused instead of filling the memory', (_title, html, message) => {
    expect(() => liftInlineScripts(html, 'page.html')).toThrow(message)
  })

  test('ten megabytes of script are one script', () => {
    expect(lift(`<script>${'a();'.repeat(2_500_000)}</script>`).scripts[0]).toHaveLength(10_000_000)
  })

  test('names of the language are ordinary attributes', () => {
    const html = `<script __proto__="a" constructor="b">1</script>`
    expect(lift(html).html).toMatch(/^<script __proto__="a" constructor="b" src=/)
  })

  test('what comes out holds no inline script any more', () => {
    const { html } = lift(
      `<table><script>1</script><tr><td><script>2</script></table><b><p><script>3</b></script>`,
    )
    expect(lift(html).files).toEqual([])
    expect(parse(html)).toBeDefined()
  })
})

function strict(text: string) {
  return preludeFor(text).startsWith("'use strict';")
}

describe('preludeFor', () => {
  test('is one line that opens no name', () => {
    expect(preludeFor('')).not.toMatch(/[\n\r]/)
    expect(preludeFor('')).toMatch(/^\{.*\}$/)
  })

  test.each([
    `'use strict'`,
    `"use strict";f()`,
    `  // it's a comment\n/* "two" */ 'use strict'\nf()`,
    `'use asm'; "use strict"; f()`,
    `'use strict'// end`,
    `\ufeff'use strict'`,
    `#!/usr/bin/env node\n'use strict'`,
    `'use strict'}`,
  ])('repeats the directive of %j', (text) => {
    expect(strict(text)).toBe(true)
  })

  test.each([
    ``,
    `f('use strict')`,
    `// 'use strict'`,
    `/* 'use strict'; */ f()`,
    `'use strict' + f()`,
    `'use strict'\n.length`.replace('\n', ''),
    `"use\\x20strict"; f()`,
    `let a; 'use strict'`,
    `'not' ['use strict']`,
    `/* never closed 'use strict'`,
  ])('adds no directive to %j', (text) => {
    expect(strict(text)).toBe(false)
  })

  test('a hashbang becomes a comment', () => {
    expect(`${preludeFor('#!/bin/x\nf()')}#!/bin/x\nf()`).toMatch(/\}\/\/#!\/bin\/x\nf\(\)$/)
  })

  test('long beginnings take linear time', () => {
    for (const text of ['/*'.repeat(8192), "'".repeat(16_384), ' '.repeat(16_384), "'a';".repeat(4096)]) {
      expect(strict(text)).toBe(false)
    }
  })
})
