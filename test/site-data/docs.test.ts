import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { lexer, type Token, type Tokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { readConfig, VARIABLE_NAMES } from '../../lib/config.ts'
import { DOC_PAGES, DOC_SECTIONS, docHref, findDoc } from '../../lib/site-data/docs/catalog.ts'
import { llmsTxt } from '../../lib/site-data/docs/llms-txt.ts'
import { allDocs, markdownTwin } from '../../lib/site-data/docs/markdown-twin.ts'
import { readDoc } from '../../lib/site-data/docs/read-doc.ts'
import { compileBody } from '../../lib/solidity/compile-body.ts'
import { headingId } from '../../lib/ui/docs/headings.ts'
import { samplesOf } from '../support/doc-samples.ts'

const ORIGIN = 'https://weft.example'

function tokensOf(text: string): Token[] {
  const found: Token[] = []
  const visit = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      found.push(token)
      if ('tokens' in token && token.tokens !== undefined) visit(token.tokens)
      if (token.type === 'list') visit((token as Tokens.List).items)
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        for (const cell of [...header, ...rows.flat()]) visit(cell.tokens)
      }
    }
  }
  visit(lexer(text))
  return found
}

function anchorsOf(text: string): string[] {
  return tokensOf(text).flatMap((token) => (token.type === 'heading' ? [headingId(token.text)] : []))
}

describe.each(DOC_PAGES)('the page $source', (page) => {
  const tokens = tokensOf(readDoc(page, ORIGIN))

  test('has one first heading, at its top, and no other twice', () => {
    const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
    expect(headings.map(({ depth }) => depth === 1)).toEqual(headings.map((_, index) => index === 0))
    expect(tokens[0]).toBe(headings[0])
    const anchors = anchorsOf(readDoc(page, ORIGIN))
    expect(new Set(anchors).size).toBe(anchors.length)
  })

  test('holds nothing that the site would leave out', () => {
    expect(tokens.filter(({ type }) => ['html', 'image', 'del', 'checkbox'].includes(type))).toEqual([])
    expect(readDoc(page, ORIGIN)).not.toMatch(/&[a-z]+;/)
    // A column without a name says nothing to people who hear it.
    const tables = tokens.filter((token): token is Tokens.Table => token.type === 'table')
    expect(tables.flatMap(({ header }) => header.map(({ text }) => text))).not.toContain('')
  })

  test('leads to pages and headings that exist', () => {
    const hrefs = tokens.flatMap((token) => (token.type === 'link' ? [(token as Tokens.Link).href] : []))
    for (const href of hrefs.filter((each) => each.startsWith('/docs') || each.startsWith('#'))) {
      const [path = '', anchor] = href.split('#')
      const target = path === '' ? page : findDoc(path.replace(/^\/docs\/?/, ''))
      if (target === undefined) expect(['/docs/api', '/docs/lessons']).toContain(path)
      else if (anchor !== undefined) expect(anchorsOf(readDoc(target, ORIGIN)), href).toContain(anchor)
    }
  })
})

test('every text for the site is a page of it', () => {
  const files = readdirSync('docs/site', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  expect(DOC_PAGES.map(({ source }) => source)).toEqual(
    expect.arrayContaining(files.map((file) => `docs/site/${file}`)),
  )
  expect(new Set(DOC_PAGES.map(docHref)).size).toBe(DOC_PAGES.length)
})

describe('what the texts of the site show', () => {
  const samples = DOC_PAGES.filter(({ source }) => source.startsWith('docs/site/')).flatMap(({ source }) =>
    samplesOf(source).map((sample) => ({ source, ...sample })),
  )

  /** Shell and TypeScript are run against the running program, see `e2e/examples.test.ts`. */
  const RUN: Readonly<Record<string, readonly string[]>> = {
    sh: ['concepts', 'using-the-apis', 'tutorial/curl', 'tutorial/agent'],
    ts: ['agents', 'tutorial/typescript'],
  }

  test('is all tried by some test', () => {
    expect(samples.length).toBeGreaterThan(20)
    for (const { source, language } of samples) {
      // What changes a machine or configures another program, its readers alone can run.
      const more = /self-hosting|agents/.test(source) ? ['console', 'jsonc'] : []
      expect(['sh', 'ts', 'json', 'solidity', 'env', ...more], source).toContain(language)
      const runs = RUN[language]
      if (runs !== undefined) expect(runs.map((name) => `docs/site/${name}.md`)).toContain(source)
    }
  })

  const bodies = samples.flatMap(({ language, code }) => (language === 'solidity' ? [code] : []))
  test.each([...new Set(bodies)])('compiles: %s', (code) => {
    // Conditions compare, transformations count.
    const kind = /[<>=]=?/.test(code) ? 'condition' : 'transformation'
    expect(compileBody(kind, code.trim())).toMatchObject({ status: 'compiled' })
  })

  test('configures a server', () => {
    const settings = samples.filter(({ language }) => language === 'env').map(({ code }) => code)
    const pairs = settings.flatMap((text) => [...text.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)])
    const env = Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
    expect(pairs.length).toBeGreaterThan(8)
    expect(VARIABLE_NAMES).toEqual(expect.arrayContaining(Object.keys(env)))
    // What everybody can read must not work as a secret.
    expect(() => readConfig(env)).toThrow(/CHAIN_TOKEN_KEY must be[\s\S]*SESSION_KEY must be/)
    const own = { CHAIN_TOKEN_KEY: '5a'.repeat(32), SESSION_KEY: 'a5'.repeat(32) }
    expect(readConfig({ ...env, ...own })).toMatchObject({ siteOrigin: ORIGIN, chainId: 11_155_111 })
  })

  test('names commands and variables that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>
    }
    const text = DOC_PAGES.map((page) => readDoc(page, ORIGIN)).join('\n')
    for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g))
      expect(Object.keys(scripts)).toContain(name)
    for (const [, path = ''] of text.matchAll(/`((?:contracts|deploy|docs|lib|examples|test)\/[\w./-]+)`/g)) {
      expect(existsSync(path), path).toBe(true)
    }
  })
})

describe('for programs', () => {
  test('a page in markdown leads to markdown', () => {
    const twin = markdownTwin(findDoc('') as (typeof DOC_PAGES)[number], ORIGIN)
    expect(twin).toContain('](/docs/concepts.md)')
    expect(twin).toContain('](/docs/api)')
    expect(twin).not.toContain('](/docs/concepts)')
  })

  test('llms.txt lists every page once, with its address', () => {
    const text = llmsTxt(ORIGIN)
    expect(text).toMatch(/^# Weft\n\n> /)
    const listed = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): \S/gm)].map(([, href = '']) => href)
    for (const { entries } of DOC_SECTIONS) {
      for (const entry of entries) {
        expect(
          listed.filter((href) => href === ORIGIN + docHref(entry) + ('slug' in entry ? '.md' : '')),
        ).toHaveLength(1)
      }
    }
    expect(listed.every((href) => href.startsWith(ORIGIN))).toBe(true)
  })

  test('samples have the address of the site that shows them', () => {
    const own = DOC_PAGES.filter(({ slug }) => !slug.startsWith('self-hosting'))
    const addressed = own.filter((page) => markdownTwin(page, ORIGIN).includes(ORIGIN))
    expect(addressed.length).toBeGreaterThan(5)
    for (const page of own) expect(markdownTwin(page, ORIGIN), page.slug).not.toMatch(/localhost:3000/)
  })

  test('llms-full.txt has the text of all of them', () => {
    const text = allDocs(ORIGIN, DOC_PAGES)
    for (const page of DOC_PAGES) expect(text).toContain(readDoc(page, ORIGIN).trim())
  })
})
