import { describe, expect, test } from 'vitest'
import { clientKey } from '#lib/server/http/client-address.ts'

function key(peer: string | undefined, trusted: number, forwarded: string | null = null) {
  return clientKey(
    { peer, headers: { get: (name) => (name === 'x-forwarded-for' ? forwarded : null) } },
    trusted,
  )
}

describe('without proxies of ours', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::203.0.113.9', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (peer, expected) => expect(key(peer, 0)).toBe(expected))

  test.each([undefined, '127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is not counted', (peer) =>
    expect(key(peer, 0)).toBeUndefined(),
  )

  test('headers set by the client are ignored', () => {
    expect(key('203.0.113.9', 0, '198.51.100.1')).toBe('203.0.113.9')
    expect(key('203.0.113.9', 0, '127.0.0.1')).toBe('203.0.113.9')
  })
})

describe('behind proxies of ours', () => {
  test('counts the address that the outermost of them saw, from the right', () => {
    expect(key('127.0.0.1', 1, '198.51.100.1')).toBe('198.51.100.1')
    expect(key('127.0.0.1', 1, '10.9.9.9, 198.51.100.1')).toBe('198.51.100.1')
    expect(key('127.0.0.1', 2, '1.1.1.1, 198.51.100.1, 10.0.0.2')).toBe('198.51.100.1')
  })

  test('where the server knows no connection', () =>
    expect(key(undefined, 1, '198.51.100.1')).toBe('198.51.100.1'))

  test('a client that came past one of them is still counted', () => {
    expect(key('10.0.0.2', 2, '198.51.100.1')).toBe('198.51.100.1')
    expect(key('203.0.113.9', 1)).toBe('203.0.113.9')
  })

  test('no header makes a client local', () =>
    expect(key('10.0.0.2', 2, '127.0.0.1, 10.0.0.2')).toBe('127.0.0.1'))

  test('this machine itself, past the proxy', () => expect(key('::1', 1)).toBeUndefined())

  test('ports and brackets, as some proxies write them', () => {
    expect(key('10.0.0.2', 1, '198.51.100.1:4711')).toBe('198.51.100.1')
    expect(key('10.0.0.2', 1, '[2001:db8:1:2::9]:4711')).toBe('2001:db8:1:2::/64')
  })

  test.each(['', ',', 'nobody', '999.1.1.1', '1.2.3.4.5', ':::', 'x'.repeat(10_000), "1';drop table"])(
    'what is no address is one key: %s',
    (text) => expect(key('10.0.0.2', 1, text)).toBe('unknown'),
  )
})
