import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SiteFooter, SiteHeader } from '../../lib/ui/frame/site-parts.tsx'

function linksOf(part: typeof SiteHeader): string[] {
  const html = renderToStaticMarkup(
    createElement(PathnameContext, { value: '/worlds/harp' }, createElement(part)),
  )
  return [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href ?? '')
}

test('the studio is one click from every page, and the status in the footer', () => {
  const [header, footer] = [linksOf(SiteHeader), linksOf(SiteFooter)]
  const main = ['/worlds', '/studio', '/discover', '/feed', '/docs', '/notices']
  expect(header).toEqual(expect.arrayContaining(main))
  expect(header).not.toContain('/status')
  expect(footer).toEqual(expect.arrayContaining(['/status', '/studio']))
})
