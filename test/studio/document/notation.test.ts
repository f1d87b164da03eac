import { describe, expect, it } from 'vitest'
import { phrasesOf, returnsLevel, signOf } from '#lib/studio/document/notation.ts'
import { phraseOf } from '#lib/studio/library/phrase-book.ts'

function calls(...given: readonly (readonly [name: string, ...args: (number | string)[]])[]) {
  return given.map(([name, ...args], index) => ({ id: `c${index}`, name, args: args.map(String) }))
}
function isLevel(name: string) {
  return name === 'set_to'
}
function read(
  of: ReturnType<typeof calls>,
  start?: string,
  held?: Parameters<typeof phrasesOf>[3],
): readonly string[] {
  return phrasesOf(of, isLevel, start, held).map(
    ({ calls: [first, ...others], from, shared, look, tied }) =>
      `${first?.name} ${from}-${from + others.length} ${look}${shared.map((index) => ` =${index}`).join('')}${tied ? ' tied' : ''}`,
  )
}

describe('phrases', () => {
  it('are consecutive calls of one function, with what all share written once', () => {
    const tune = calls(['climb', 2, 15], ['climb', 3, 15], ['lift', 2], ['lift', 2], ['climb', 1, 15])
    expect(read(tune)).toEqual(['climb 0-1 numbers =1', 'lift 2-3 numbers', 'climb 4-4 numbers'])
    expect(read(calls(['climb', 2, 15], ['climb', 3, 14]))).toEqual(['climb 0-1 numbers'])
  })

  it('leave calls without a name apart', () => {
    expect(read(calls([''], [''], ['lift', 1]))).toEqual([' 0-0 numbers', ' 1-1 numbers', 'lift 2-2 numbers'])
  })

  it('are steps where a function returns its argument and all are small', () => {
    expect(read(calls(['set_to', 1], ['set_to', 0]))).toEqual(['set_to 0-1 steps'])
    expect(read(calls(['set_to', 60], ['set_to', 0]))).toEqual(['set_to 0-1 numbers'])
    expect(read(calls(['set_to', 1]))).toEqual(['set_to 0-0 numbers'])
    expect(read(calls(['set_to', 'x'], ['set_to', 0]))).toEqual(['set_to 0-1 numbers'])
  })

  it('are tied to the start that their last step leads back to', () => {
    const beat = calls(['set_to', 0], ['set_to', 1])
    expect(read(beat, '1')).toEqual(['set_to 0-1 steps tied'])
    expect(read(beat, '0')).toEqual(['set_to 0-1 steps'])
    expect(read(beat)).toEqual(['set_to 0-1 steps'])
    expect(read([...beat, ...calls(['lift', 1])], '1')[0]).toBe('set_to 0-1 steps')
  })

  it('stay as they are while one of them is edited', () => {
    const beat = calls(['set_to', 17], ['set_to', 1])
    const held = { callIds: ['c0', 'c1'], shared: [], look: 'steps', tied: true, apart: false } as const
    expect(read(beat, '1', held)).toEqual(['set_to 0-1 steps tied'])
    // A number that came to differ has a field of its own again: another would overwrite it.
    const both = { callIds: ['c0', 'c1'], shared: [1], look: 'numbers', tied: false, apart: false } as const
    expect(read(calls(['climb', 2, 15], ['climb', 3, 14]), undefined, both)).toEqual(['climb 0-1 numbers'])
    expect(read(beat, '0', held)).toEqual(['set_to 0-1 steps'])
    // One that gets the name of its neighbour does not join it before the focus leaves it.
    const one = { callIds: ['c1'], shared: [], look: 'numbers', tied: false, apart: true } as const
    expect(read(calls(['lift', 1], ['lift', 2], ['lift', 3]), undefined, one)).toEqual([
      'lift 0-0 numbers',
      'lift 1-1 numbers',
      'lift 2-2 numbers',
    ])
    // What is added to it belongs to it.
    expect(read(calls(['lift', 1], ['lift', 2], ['lift', 3]), undefined, { ...one, apart: false })).toEqual([
      'lift 0-2 numbers',
    ])
  })
})

describe('signs', () => {
  it.each([
    ['return x + args[0];', 0, '+'],
    ['return x - args[0];', 0, '−'],
    ['return (x * args[0] + args[1]) % args[2];', 0, '×'],
    ['return (x * args[0] + args[1]) % args[2];', 1, '+'],
    ['return (x * args[0] + args[1]) % args[2];', 2, 'around'],
    ['// Not x - args[0].\nreturn x + args[0];', 0, '+'],
    ['return args[0] == 0 ? x : x / args[0];', 0, undefined],
    ['return x + args[10];', 1, undefined],
    ['string memory s = "/*"; return x + args[0];', 0, undefined],
    [undefined, 0, undefined],
  ])('of %s, argument %i: %s', (source, index, sign) => {
    expect(signOf(source, index)).toBe(sign)
  })

  it('are not searched for in a long body', () => {
    expect(signOf(`return x + args[0]; //${' '.repeat(2_000)}`, 0)).toBeUndefined()
  })

  it('know a body that returns its argument', () => {
    expect(returnsLevel(phraseOf('set_to')?.source)).toBe(true)
    expect(returnsLevel('// a hit\n return  args[0] ;')).toBe(true)
    for (const source of ['return x + args[0];', 'return args[1];', undefined]) {
      expect(returnsLevel(source)).toBe(false)
    }
  })
})
