import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileBody } from '../../lib/compute/solidity/compile-body.ts'
import { readConfig, VARIABLE_NAMES } from '../../lib/platform/config.ts'
import { DOC_PAGES, DOC_SECTIONS, docHref, findDoc } from '../../lib/server/docs/catalog.ts'
import { allDocs, llmsTxt, markdownTwin, readDoc } from '../../lib/server/docs/texts.ts'
import { samplesOf } from '../support/doc-samples.ts'

const ORIGIN = 'https://weft.example'

test('every text for the site is a page of it', () => {
  const files = readdirSync('docs/site', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  expect(DOC_PAGES.map(({ source }) => source)).toEqual(
    expect.arrayContaining(files.map((file) => `docs/site/${file}`)),
  )
  expect(new Set(DOC_PAGES.map(docHref)).size).toBe(DOC_PAGES.length)
})

/** Shell and TypeScript are run against the running program, see `e2e/examples.test.ts`. */
describe('what the texts of the site show', () => {
  const samples = DOC_PAGES.filter(({ source }) => source.startsWith('docs/site/')).flatMap(({ source }) =>
    samplesOf(source).map((sample) => ({ source, ...sample })),
  )

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
    // Public values must not work as a secret.
    expect(() => readConfig(env)).toThrow(/CHAIN_TOKEN_KEY must be[\s\S]*SESSION_KEY must be/)
    const own = { CHAIN_TOKEN_KEY: '5a'.repeat(32), SESSION_KEY: 'a5'.repeat(32) }
    expect(readConfig({ ...env, ...own })).toMatchObject({ siteOrigin: ORIGIN, chainId: 11_155_111 })
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
