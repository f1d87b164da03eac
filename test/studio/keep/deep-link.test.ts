import { expect, test } from 'vitest'
import { readDeepLink, studioHref, withoutDeepLink } from '#lib/studio/keep/deep-link.ts'

function read(path: string) {
  return readDeepLink(new URL(path, 'http://site').search)
}

test('an address that was made can be read', () => {
  for (const action of ['open', 'fork', 'change'] as const) {
    for (const kind of ['connector', 'transformation', 'condition'] as const) {
      for (const name of ['weave', '__proto__', 'toString', `a${'b'.repeat(127)}`]) {
        expect(read(studioHref(action, kind, name))).toEqual({ action, kind, name })
      }
    }
  }
})

test('a name alone is a connector', () => {
  expect(read('/studio?fork=weave')).toEqual({ action: 'fork', kind: 'connector', name: 'weave' })
})

test.each([
  '/studio',
  '/studio?open=',
  '/studio?open=connector/',
  '/studio?open=connector/a/b',
  '/studio?open=toString/weave',
  '/studio?open=Connector/weave',
  '/studio?open=connector/%00',
  '/studio?open=connector/<b>',
  `/studio?open=connector/${'a'.repeat(129)}`,
])('%s asks for nothing', (path) => {
  expect(read(path)).toBeUndefined()
})

test.each([
  '/studio?open=connector/weave.',
  '/studio?open=connector/weave)',
  '/studio?open=connector/weave%E2%80%8B',
  '/studio?open=connector/weave%22%3E',
  '/studio?open%3Dconnector%2Fweave',
])('%s is what a messenger makes of a link', (path) => {
  expect(read(path)).toEqual({ action: 'open', kind: 'connector', name: 'weave' })
  expect(withoutDeepLink(new URL(path, 'http://site').href)).toBe('/studio')
})

test.each([
  ['connector', 'pitch'],
  ['transformation', 'add'],
  ['condition', 'tutorial_threshold_v1'],
])('a link of the original network opens the %s %s', (kind, name) => {
  const path = `/studio?network_kind=${kind}&network_id=${name}&lesson=first-run`
  expect(read(path)).toEqual({ action: 'open', kind, name })
  expect(withoutDeepLink(new URL(path, 'http://site').href)).toBe('/studio?lesson=first-run')
})

test.each([
  'network_kind=particle&network_id=pitch',
  'network_kind=__proto__&network_id=pitch',
  'network_kind=connector&network_id=',
  'network_kind=connector',
  'network_kind=connector&network_id=../feed',
  'network_kind=connector&network_id=<b>',
])('?%s asks for nothing', (query) => {
  expect(read(`/studio?${query}`)).toBeUndefined()
})

test('a followed link is removed from the URL, and nothing else', () => {
  const href = 'http://site/studio?lesson=first&open=connector/weave&fork=duet&open=pitch#part'
  expect(withoutDeepLink(href)).toBe('/studio?lesson=first#part')
})
