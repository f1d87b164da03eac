import { expect, test } from 'vitest'
import { Failure } from '../../lib/protocol/failure.ts'

test('a failure is known as one also by another copy of the module', async () => {
  const copy = '../../lib/protocol/failure.ts?copy'
  const { Failure: Other } = (await import(copy)) as typeof import('../../lib/protocol/failure.ts')
  expect(Other).not.toBe(Failure)
  expect(new Other('overloaded', 'busy')).toBeInstanceOf(Failure)
  for (const value of [
    new Error('no'),
    new TypeError('no'),
    { name: 'Failure', code: 'x' },
    undefined,
    'Failure',
  ]) {
    expect(value instanceof Failure).toBe(false)
  }
})
