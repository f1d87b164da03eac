import { encodeFunctionData, parseAbi } from 'viem/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileBody } from '../../lib/compute/solidity/compile-body.ts'
import type { CodeArtifact } from '../../lib/protocol/artifact.ts'
import { codeContentHash } from '../../lib/protocol/content-hash.ts'
import { newNameProblem } from '../../lib/protocol/names.ts'
import { PHRASE_BOOK, type Phrase } from '../../lib/ui/studio/common/phrase-book.ts'
import { exampleNetwork } from '../../scripts/example-network/network.ts'
import { createMachine, type Machine, simulatedAddress } from '../support/machine.ts'

/* What each phrase says, in integers without a size. Undefined where the run has to stop. */

type Model = (x: bigint, args: readonly bigint[]) => bigint | undefined

const MOST = 2n ** 32n - 1n
const PENTATONIC = [0n, 2n, 4n, 7n, 9n, 12n]
const MAJOR = [0n, 2n, 4n, 5n, 7n, 9n, 11n]

function within(value: bigint): bigint | undefined {
  return value >= 0n && value <= MOST ? value : undefined
}

function atLeastOne(value: bigint): bigint {
  return value === 0n ? 1n : value
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function upTo(scale: readonly bigint[], x: bigint, root: bigint): bigint | undefined {
  const degree = (x + 12n - (root % 12n)) % 12n
  return within(x - degree + scale.find((note) => note >= degree)!)
}

const MODELS: Readonly<Record<string, Model>> = {
  add: (x, [by]) => within(x + by!),
  subtract: (x, [by]) => within(x - by!),
  multiply: (x, [by]) => within(x * by!),
  divide: (x, [by]) => x / atLeastOne(by!),
  cycle: (x, [by, places]) => (places === 0n ? undefined : (x + by!) % places!),
  count_to: (x, [top]) => (x >= top! ? 0n : x + 1n),
  set_to: (_, [value]) => value,
  stay: (x) => x,
  switch_between: (x, [one, other]) => (x === one ? other : one),
  keep_between: (x, [low, high]) => (x < low! ? low : smaller(x, high!)),
  bounce_between(x, [step, low, high]) {
    const top = larger(high! - low!, 0n)
    const place = larger(x - low!, 0n)
    if (place % 2n === 1n) return low! + larger(place - 2n * step!, 0n)
    if (place + 2n * step! <= top) return low! + place + 2n * step!
    return low! + (top === 0n ? 0n : top % 2n === 1n ? top : top - 1n)
  },
  mirror_between(x, [low, second]) {
    const high = larger(low!, second!)
    return low! + high - smaller(larger(x, low!), high)
  },
  approach(x, [target, part]) {
    const far = target! - x
    const size = far < 0n ? -far : far
    if (size === 0n) return x
    const step = atLeastOne(size / atLeastOne(part!))
    return far < 0n ? x - step : x + step
  },
  round_to: (x, [multiple]) => (x / atLeastOne(multiple!)) * atLeastOne(multiple!),
  flip: (x, [bits]) => x ^ bits!,
  drift: (x, [factor, plus, below]) => (below === 0n ? undefined : (x * factor! + plus!) % below!),
  noise: (x, [seed]) => (x * 1_664_525n + seed! * 2n + 1n) % (MOST + 1n),
  random_walk(x, [stride, most]) {
    const chance = ((x % 65_536n) * 25_173n + 13_849n) % 65_536n
    const place = x / 65_536n
    const far = (chance / 256n) % (stride! + 1n)
    const up = (chance / 128n) % 2n === 0n
    const next = up ? smaller(smaller(most!, 65_535n), place + far) : larger(0n, place - far)
    return next * 65_536n + chance
  },
  euclid_beat(x, [hits, length]) {
    const steps = atLeastOne(length!)
    const place = (x + hits!) % steps
    return (place < hits! ? place + 2n * steps : place) % (MOST + 1n)
  },
  arpeggio(x, [low, third, fifth]) {
    if (x < low!) return low
    const place = x - low!
    const next = place < third! ? third! : place < fifth! ? fifth! : place < 12n ? 12n : 0n
    return within(low! + next)
  },
  scale_up(x, [root, low, high, notes]) {
    let note = x
    for (let i = 0n; i < notes!; i++) {
      // The body adds twelve first, which has to fit.
      if (note + 12n > MOST) return undefined
      const degree = (note + 12n - (root! % 12n)) % 12n
      note += degree === 4n || degree === 11n ? 1n : 2n
    }
    return note > high! ? low : within(note)
  },
  to_major: (x, [root]) => upTo([...MAJOR, 12n], x, root!),
  to_pentatonic: (x, [root]) => upTo(PENTATONIC, x, root!),
  to_octave: (x, [low]) => within(low! + ((((x - low!) % 12n) + 12n) % 12n)),
}

const EDGES = [0n, 1n, 2n, 7n, 12n, 59n, 60n, 65_535n, 65_536n, 2n ** 31n, MOST - 1n, MOST]
/** A loop of four billion rounds would only run into the limit. */
const ROUNDS = { scale_up: 3 } as Readonly<Record<string, number>>
const CASES = 120

const RUN = parseAbi(['function run(uint32 x, uint32[] args) view returns (uint32)'])

let machine: Machine
const artifacts = new Map<string, CodeArtifact>()

beforeAll(async () => {
  for (const { name, source } of PHRASE_BOOK) {
    const compiled = compileBody('transformation', source)
    if (compiled.status !== 'compiled') throw new Error(`${name}: ${JSON.stringify(compiled)}`)
    const { argsCount, runtime } = compiled
    const contentHash = codeContentHash('transformation', name, argsCount, runtime)
    artifacts.set(name, { kind: 'transformation', name, argsCount, runtime, contentHash })
  }
  machine = await createMachine([...artifacts.values()], 50_000_000n)
}, 240_000)

async function onEvm({ name }: Phrase, x: bigint, args: readonly bigint[]): Promise<bigint | undefined> {
  const data = encodeFunctionData({
    abi: RUN,
    functionName: 'run',
    args: [Number(x), args.map(Number)],
  })
  const outcome = await machine.call(simulatedAddress(artifacts.get(name)!.contentHash), data)
  if (outcome.status === 'exhausted') throw new Error('It runs out of gas')
  if (outcome.status === 'reverted') return undefined
  return BigInt(`0x${Buffer.from(outcome.output).toString('hex')}`)
}

/** The defaults at every edge of x, then edges of everything, spread evenly over all combinations. */
function* casesOf(phrase: Phrase): Generator<readonly [x: bigint, args: readonly bigint[]]> {
  const defaults = phrase.args.map(({ value }) => BigInt(value))
  for (const x of EDGES) yield [x, defaults]
  const choices = phrase.args.map(({ value, min, max }, index) =>
    ROUNDS[phrase.name] === index
      ? [0n, 1n, 5n, BigInt(max)]
      : [BigInt(value), BigInt(min), BigInt(max), ...EDGES],
  )
  const total = choices.reduce((product, { length }) => product * length, EDGES.length)
  // A prime that divides none of the sizes: all places of all lists come.
  for (let index = 0; index < Math.min(CASES, total); index++) {
    const at = (index * 7919) % total
    let rest = Math.floor(at / EDGES.length)
    const args = choices.map((list) => {
      const value = list[rest % list.length]!
      rest = Math.floor(rest / list.length)
      return value
    })
    yield [EDGES[at % EDGES.length]!, args]
  }
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
    const model = MODELS[phrase.name]!
    const wrong: unknown[] = []
    for (const [x, args] of casesOf(phrase)) {
      const [found, wanted] = [await onEvm(phrase, x, args), model(x, args)]
      if (found !== wanted) wrong.push({ x, args, found, wanted })
    }
    expect(wrong).toEqual([])
  })

  it('has no phrase whose run stops at its defaults from a start of 0, but subtract', async () => {
    const stopping: string[] = []
    for (const phrase of PHRASE_BOOK) {
      const args = phrase.args.map(({ value }) => BigInt(value))
      if ((await onEvm(phrase, 0n, args)) === undefined) stopping.push(phrase.name)
    }
    expect(stopping).toEqual(['subtract'])
  })
})
