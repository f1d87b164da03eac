import { describe, expect, test } from 'vitest'
import { parseTarget, RefusedTarget, requirePublic, resolveTarget } from '#lib/platform/outbound/target.ts'

const PUBLIC_ONLY = { allowLoopback: false }
const DEVELOPMENT = { allowLoopback: true }

/** Addresses that a stranger would try; each is refused before a name is resolved. */
const REFUSED = [
  'http://example.com/',
  'http://example.com:443/',
  'https://example.com:8443/',
  'https://example.com:22/',
  'https://example.com:80/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,hello',
  'not an address',
  '//example.com/',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com/#fragment',
  `https://example.com/${'x'.repeat(500)}`,
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://database/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://203.0.113.7/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[2001:db8::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
]

/** Addresses that a name may resolve to without being reached. */
const CLOSED = [
  ...['127.0.0.1', '127.255.255.254', '10.1.2.3', '172.20.0.1', '192.168.0.10', '169.254.169.254', '0.0.0.0'],
  ...['100.127.255.255', '224.0.0.251', '240.0.0.1', '::1', '::', '::ffff:192.168.0.1', '::ffff:a00:1'],
  ...[
    '64:ff9b::c0a8:1',
    'fe80::1',
    'fe80::1%eth0',
    'fd12::1',
    'ff05::2',
    '2002:a00:1::',
    '2001:0:1::1',
    'text',
    '',
  ],
]

describe('addresses that are refused', () => {
  test.each(REFUSED)('%s', (target) => {
    expect(() => parseTarget(target, PUBLIC_ONLY)).toThrow(RefusedTarget)
  })

  test.each(CLOSED)('a name that resolves to %s', async (address) => {
    expect(() => requirePublic(address)).toThrow(RefusedTarget)
    // One public address beside it changes nothing.
    for (const addresses of [[address], ['93.184.215.14', address]]) {
      const resolved = resolveTarget(new URL('https://example.com/'), PUBLIC_ONLY, async () => addresses)
      await expect(resolved).rejects.toThrow(RefusedTarget)
    }
  })
})

test.each([
  'https://example.com/',
  'https://example.com:443/hook?key=1',
  'https://EXAMPLE.com./hook',
  'https://bücher.example.org/',
  'https://93.184.215.14/',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
])('%s is a public address', (target) => {
  expect(() => parseTarget(target, PUBLIC_ONLY)).not.toThrow()
})

test('a name is resolved to one address, and one without any fails', async () => {
  const url = new URL('https://example.com/')
  expect(await resolveTarget(url, PUBLIC_ONLY, async () => ['2606:2800::1', '93.184.215.14'])).toEqual({
    address: '2606:2800::1',
    family: 6,
  })
  await expect(resolveTarget(url, PUBLIC_ONLY, async () => [])).rejects.toThrow('has no address')
})

test('development reaches this machine, and nothing else that is private', async () => {
  for (const target of [
    'http://localhost:3000/',
    'http://127.0.0.1:8080/',
    'https://[::1]:1/',
    'http://127.1/',
  ]) {
    expect(() => parseTarget(target, DEVELOPMENT), target).not.toThrow()
  }
  for (const target of [
    'http://10.0.0.1/',
    'https://192.168.0.1/',
    'http://example.com/',
    'https://169.254.169.254/',
  ]) {
    expect(() => parseTarget(target, DEVELOPMENT), target).toThrow(RefusedTarget)
  }
  await expect(
    resolveTarget(new URL('https://example.com/'), DEVELOPMENT, async () => ['10.0.0.1']),
  ).rejects.toThrow(RefusedTarget)
})
