import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { Failure } from '#lib/protocol/failure.ts'
import { decodeRejection } from '#lib/protocol/rejection.ts'
import { vectorCases } from '#test/support/vectors.ts'

function word(value: number) {
  return value.toString(16).padStart(64, '0')
}

describe('rejections', () => {
  test('of every vector retain their name and data', () => {
    const errors = vectorCases.flatMap(({ execute }) => execute.flatMap((run) => run.expected_error ?? []))
    expect(errors.length).toBeGreaterThan(10)
    for (const error of errors) {
      const decoded = decodeRejection(error.revert_data)
      expect(decoded.name).toBe(error.name)
      expect(decoded.revertData).toBe(error.revert_data)
      if (error.message) expect(decoded.message).toBe(error.message)
    }
  })

  test.each([
    ['0x', 'EmptyRevert', 'Reverted without a reason: a bare revert, or out of gas'],
    [`0xf54d97ab${'11'.repeat(32)}`, 'ConditionNotMet', 'Condition not met'],
    [
      `0xb57b8e82${word(2)}`,
      'RunningInstanceStaticOverride',
      'Running instance static override (position 2)',
    ],
    [`0x8e03f168${word(2)}`, 'RunningInstanceDuplicate', 'Running instance duplicate (position 2)'],
    [
      `0xc17133fa${word(2)}${word(1)}`,
      'RunningInstanceNotSorted',
      'Running instance not sorted (position 1 after 2)',
    ],
    [`0x4e487b71${word(0x01)}`, 'Panic', 'Assertion failed'],
    [`0x4e487b71${word(0x11)}`, 'Panic', 'Arithmetic overflow or underflow'],
    [`0x4e487b71${word(0x12)}`, 'Panic', 'Division or modulo by zero'],
    [`0x4e487b71${word(0x32)}`, 'Panic', 'Array index out of bounds'],
    [`0x4e487b71${word(0x99)}`, 'Panic', 'Panic 0x99'],
    [
      `0xeec98f1f${'11'.repeat(32)}`,
      'TransformationMissing',
      `Transformation missing (name hash 0x${'11'.repeat(32)})`,
    ],
    [
      encodeErrorResult({
        abi: parseAbi(['error InvalidEntity(address)']),
        args: ['0x00000000000000000000000000000000000000ab'],
      }),
      'InvalidEntity',
      'The code at 0x00000000000000000000000000000000000000ab did not answer as its kind must',
    ],
    ['0x4e487b71', 'Unknown', 'Reverted with 4 bytes of unknown data'],
    ['0x08c379a0ffff', 'Unknown', 'Reverted with 6 bytes of unknown data'],
    [`0x08c379a0${'ff'.repeat(64)}`, 'Unknown', 'Reverted with 68 bytes of unknown data'],
    ['0x01', 'Unknown', 'Reverted with 1 bytes of unknown data'],
  ] as const)('%s', (data, name, message) => {
    expect(decodeRejection(data)).toEqual({ name, message, revertData: data })
  })

  test('clip long reasons', () => {
    const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['x'.repeat(5000)] })
    expect(decodeRejection(data).message).toBe(`${'x'.repeat(1024)}…`)
  })
})

test('a failure is known as one also by another copy of the module', async () => {
  const copy = '../../lib/protocol/failure.ts?copy'
  const { Failure: Other } = (await import(copy)) as typeof import('#lib/protocol/failure.ts')
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
