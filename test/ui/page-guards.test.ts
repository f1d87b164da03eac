import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { typingScript } from '#lib/ui/frame/guards/typed-early.ts'
import { testBrowser } from '#test/support/browser.ts'
import { type ComponentSite, startComponentSite } from './studio/component-site.ts'

let site: ComponentSite
const browser = testBrowser()
beforeAll(async () => {
  site = await startComponentSite({ pages: { '/': '../page-guards-page' } })
})
afterAll(() => site.close())

async function open(): Promise<Page> {
  const page = await browser().newPage()
  await page.addInitScript(typingScript)
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(site.origin)
  await page.getByRole('button', { name: 'Play' }).waitFor()
  return page
}

interface Stroke {
  readonly key: string
  readonly keyCode?: number
  readonly isComposing?: boolean
  readonly ctrlKey?: boolean
}

describe('keys of an input method', () => {
  const press = (page: Page, label: string, init: Stroke) =>
    page.evaluate(
      ([name, given]) => {
        const seen = (window as unknown as { keys: string[] }).keys
        seen.length = 0
        const at = document.querySelector(`[aria-label="${name}"]`)!
        const own = () => seen.push('own')
        at.addEventListener('keydown', own)
        at.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...given }))
        at.removeEventListener('keydown', own)
        return [...seen]
      },
      [label, init] as const,
    )

  test.each([
    { key: 'Enter', isComposing: true },
    // Safari's last one: the composition has ended before it.
    { key: 'Enter', keyCode: 229 },
    { key: 'Escape', isComposing: true },
    { key: 'z', ctrlKey: true, isComposing: true },
  ])('reach no handler: %j', async (init) => {
    const page = await open()
    expect(await press(page, 'Field', init)).toEqual([])
    expect(await press(page, 'Editor', init)).toEqual(['own'])
    for (const label of ['Field', 'Editor']) {
      expect(await press(page, label, { key: 'Enter', keyCode: 13 })).toEqual([
        'own',
        'parts Enter',
        'window Enter',
      ])
    }
  })
})

/** Runs in the page: puts every text into elements, and later ones as well. */
function translate(how: 'replace' | 'move'): void {
  const one = (text: Text) => {
    if (text.parentElement?.closest('font') || text.data.trim() === '') return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    outer.append(inner)
    if (how === 'replace') {
      inner.textContent = `<${text.data}>`
      text.replaceWith(outer)
    } else {
      text.before(outer)
      inner.append(text)
    }
  }
  const all = (root: Node) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walk.nextNode()) texts.push(walk.currentNode as Text)
    for (const text of texts) one(text)
  }
  all(document.body)
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (node instanceof Text) one(node)
        else if (node.nodeName !== 'FONT') all(node)
      }
    }
  }).observe(document.body, { childList: true, subtree: true })
}

describe('a page that the browser translates', () => {
  test.each(['replace', 'move'] as const)(
    'lives on, and shows what it says now: texts that it would %s',
    async (how) => {
      const page = await open()
      await page.evaluate(translate, how)
      const words = async () =>
        [await page.getByRole('button').textContent(), await page.locator('p').textContent()].map((text) =>
          text?.replaceAll(/[<>]/g, ''),
        )
      await expect.poll(words).toEqual(['Play this!', 'quiet.'])
      for (let round = 0; round < 2; round++) {
        await page.getByRole('button').click()
        await expect.poll(words).toEqual(['Stop!', 'on and on.'])
        await page.getByRole('button').click()
        await expect.poll(words).toEqual(['Play this!', 'quiet.'])
      }
    },
  )
})

test('what is typed before the scripts come is what the page goes on with', async () => {
  const page = await open()
  await page.getByLabel('Sort').selectOption('old')
  await page.getByLabel('All').check()
  await page.getByLabel('Search').pressSequentially('mel')
  await page.evaluate(() => (window as unknown as { hydrate: () => void }).hydrate())
  await expect.poll(() => page.locator('output').textContent()).toBe('mel/old/true')
  // The cursor is where it was.
  await page.keyboard.type('ody')
  await expect.poll(() => page.locator('output').textContent()).toBe('melody/old/true')
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('melody')
})
