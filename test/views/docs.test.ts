import { describe, expect, test } from 'vitest'
import { compileBody } from '#lib/compute/solidity/compile-body.ts'
import { readConfig, VARIABLE_NAMES } from '#lib/features/config.ts'
import { DOC_PAGES, findDoc } from '#lib/server/docs/catalog.ts'
import { markdownTwin } from '#lib/server/docs/texts.ts'
import { samplesOf } from '#test/support/doc-samples.ts'

const ORIGIN = 'https://weft.example'

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

  test('samples have the address of the site that shows them', () => {
    const own = DOC_PAGES.filter(({ slug }) => !slug.startsWith('self-hosting'))
    const addressed = own.filter((page) => markdownTwin(page, ORIGIN).includes(ORIGIN))
    expect(addressed.length).toBeGreaterThan(5)
    for (const page of own) expect(markdownTwin(page, ORIGIN), page.slug).not.toMatch(/localhost:3000/)
  })
})
