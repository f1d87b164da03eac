import {
  ResourceUnavailableRpcError,
  RpcRequestError,
  SwitchChainError,
  UserRejectedRequestError,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { isDeclined, walletErrorMessage } from '#lib/ui/wallet/connect/error-messages.ts'
import { plainName, safeIcon } from '#lib/ui/wallet/connect/open-wallets.ts'

function coded(code: number, message = 'MetaMask - RPC Error: internal') {
  return Object.assign(new Error(message), { code })
}

describe('what wallets and the site refuse, in words', () => {
  test.each([
    ['declining', coded(4001), 'You declined to sign. Nothing has happened.'],
    ['declining, wrapped', new UserRejectedRequestError(new Error('no')), 'You declined to sign'],
    ['declining, by text only', new Error('User rejected the request.'), 'You declined to sign'],
    ['a plain object', { code: 4001, message: 'nope' }, 'You declined to sign'],
    ['a question that is open', new ResourceUnavailableRpcError(coded(-32002)), 'already has a request open'],
    ['an unknown chain', new SwitchChainError(coded(4902)), 'does not know this network'],
    ['being disconnected', coded(4900), 'lost its connection'],
    ['not being allowed', coded(4100), 'Connect it again'],
    [
      'too little for the fee',
      coded(-32000, 'insufficient funds for gas * price + value'),
      'Send some to it',
    ],
    ['a transaction in the way', coded(-32000, 'replacement transaction underpriced'), 'still on its way'],
    [
      'anything else',
      new RpcRequestError({ body: {}, error: { code: -32000, message: 'the moon is full' }, url: 'x' }),
      'Test wallet failed',
    ],
    ['nothing at all', undefined, 'Test wallet failed. Try again'],
    ['text', 'broken', 'Test wallet failed. Try again'],
    ['silence of the site', new NoAnswer('x'), 'This site does not answer'],
    ['too many sign-ins', new Refusal(429, ''), 'Wait five minutes'],
    ['a failing site', new Refusal(500, 'stack'), 'cannot do this right now'],
    ['a reason of the site', new Refusal(401, 'This account is suspended'), 'This account is suspended.'],
    ['no reason', new Refusal(418, ''), 'refused (418)'],
  ])('%s', (_name, error, expected) => {
    const said = walletErrorMessage(error, 'sign', 'Test wallet')
    expect(said).toContain(expected)
    expect(said).not.toMatch(/undefined|\[object|Error:/)
    expect(said).toMatch(/[.]$/)
  })

  test.each([
    ['a remote image', 'https://evil.example/a.png'],
    ['a document', 'data:text/html,<script>'],
    ['an image type that browsers do not know', 'data:image/x-evil,1'],
    ['two megabytes', `data:image/png;base64,${'A'.repeat(2_000_000)}`],
    ['no text', ['data:image/png,1']],
  ])('an icon that is %s is not shown', (_, icon) => {
    expect(safeIcon(icon)).toBeUndefined()
  })

  test('names of wallets are short, and have nothing that moves text', () => {
    expect(safeIcon(' data:image/svg+xml,%3Csvg/%3E\n')).toBe('data:image/svg+xml,%3Csvg/%3E')
    expect(plainName('Meta\u202eMask\n')).toBe('MetaMask')
    expect(plainName('x'.repeat(1_000_000))).toHaveLength(40)
    expect(plainName('\u200b')).toBe('Browser wallet')
    expect(plainName({})).toBe('Browser wallet')
  })

  test('causes that go in circles end', () => {
    const error = new Error('round') as Error & { cause: unknown }
    error.cause = error
    expect(isDeclined(error)).toBe(false)
  })
})
