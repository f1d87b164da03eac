import { encodeFunctionData, parseAbi } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { newNameProblem } from '#lib/protocol/names.ts'
import { PHRASE_BOOK, type Phrase } from '#lib/studio/library/phrase-book.ts'
import { exampleNetwork } from '#scripts/example-network/network.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'
import { createMachine, type Machine, simulatedAddress } from '#test/support/machine.ts'

/* Meaning of each phrase, by a few of its numbers; the pinned hash of its body says that the others are as they were. */

/** `x args = result`. */
const EXAMPLES: Readonly<Record<string, string>> = {
  add: '5 7 = 12; 4294967295 1 = stops',
  subtract: '5 2 = 3; 0 1 = stops',
  multiply: '6 7 = 42; 4294967295 2 = stops',
  divide: '7 2 = 3; 7 0 = 7',
  cycle: '15 3 16 = 2; 1 1 0 = stops',
  count_to: '3 4 = 4; 4 4 = 0',
  set_to: '9 4 = 4',
  stay: '9 = 9',
  switch_between: '1 1 8 = 8; 5 1 8 = 1',
  keep_between: '1 4 9 = 4; 7 4 9 = 7; 12 4 9 = 9',
  bounce_between: '0 2 0 9 = 4; 8 2 0 9 = 9; 9 2 0 9 = 5; 5 3 5 5 = 5',
  mirror_between: '4 2 10 = 8; 0 2 10 = 10; 99 2 10 = 2',
  approach: '10 50 4 = 20; 50 50 4 = 50; 9 8 4 = 8',
  round_to: '17 5 = 15; 17 0 = 17',
  flip: '5 3 = 6',
  drift: '5 7 3 10 = 8; 5 7 3 0 = stops',
  noise: '5 1 = 8322628; 4294967295 7 = 4293302786',
  random_walk: '0 3 24 = 144921; 786432 3 24 = 931353; 4294901761 1 9 = 628846',
  euclid_beat: '0 3 8 = 3; 6 3 8 = 17; 0 1 0 = 2',
  arpeggio: '60 60 4 7 = 64; 67 60 4 7 = 72; 72 60 4 7 = 60; 3 60 4 7 = 60',
  scale_up: '60 0 48 72 1 = 62; 64 0 48 72 1 = 65; 72 0 48 72 1 = 48; 60 0 48 72 3 = 65',
  to_major: '61 0 = 62; 71 0 = 71; 66 2 = 66',
  to_pentatonic: '61 0 = 62; 70 0 = 72',
  to_octave: '75 60 = 63; 50 60 = 62',
}

const RUN = parseAbi(['function run(uint32 x, uint32[] args) view returns (uint32)'])

let machine: Machine
const artifacts = new Map<string, CodeArtifact>()

beforeAll(async () => {
  for (const { name, source } of PHRASE_BOOK) {
    const { argsCount, runtime } = compileOnce('transformation', source)
    const contentHash = codeContentHash('transformation', name, argsCount, runtime)
    artifacts.set(name, { kind: 'transformation', name, argsCount, runtime, contentHash })
  }
  machine = await createMachine([...artifacts.values()], 50_000_000n)
})

async function onEvm({ name }: Phrase, x: number, args: readonly number[]): Promise<number | undefined> {
  const data = encodeFunctionData({ abi: RUN, functionName: 'run', args: [x, args] })
  const outcome = await machine.call(simulatedAddress(artifacts.get(name)!.contentHash), data)
  if (outcome.status === 'exhausted') throw new Error('It runs out of gas')
  return outcome.status === 'reverted'
    ? undefined
    : Number(`0x${Buffer.from(outcome.output).toString('hex')}`)
}

describe('the phrase book', () => {
  it('has 24 phrases of different, valid names, which the example network publishes with these bodies', () => {
    expect(new Set(PHRASE_BOOK.map(({ name }) => name)).size).toBe(24)
    for (const { name, source, args } of PHRASE_BOOK) {
      expect(newNameProblem(name)).toBeUndefined()
      const published = exampleNetwork.filter((entity) => entity.name === name)
      expect(published).toMatchObject([{ kind: 'transformation', name, request: { name, sol_src: source } }])
      for (const { value, min, max } of args) expect(min <= value && value <= max).toBe(true)
    }
  })

  it.each(PHRASE_BOOK)('$name does what it says on the EVM', async (phrase) => {
    const { argsCount, contentHash } = artifacts.get(phrase.name)!
    expect([argsCount, contentHash]).toEqual([phrase.args.length, phrase.contentHash])
    for (const example of EXAMPLES[phrase.name]!.split('; ')) {
      const [given = '', result] = example.split(' = ')
      const [x = 0, ...args] = given.split(' ').map(Number)
      expect(String((await onEvm(phrase, x, args)) ?? 'stops'), example).toBe(result)
    }
  })

  it('has no phrase whose run stops at its defaults from a start of 0, but subtract', async () => {
    const stopping: string[] = []
    for (const phrase of PHRASE_BOOK) {
      const args = phrase.args.map(({ value }) => value)
      if ((await onEvm(phrase, 0, args)) === undefined) stopping.push(phrase.name)
    }
    expect(stopping).toEqual(['subtract'])
  })
})
