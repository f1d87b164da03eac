import { checkInput, computeRun } from '#lib/engine/recheck.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import { type ProvenEntity, readTree } from '#lib/protocol/entity-tree.ts'
import { Refusal } from '#lib/protocol/refusal.ts'
import compiledBodies from '#test/fixtures/compiled-bodies.json' with { type: 'json' }
import { addressOf, FORGED_REGISTRY, forge, forgedEntity, hexOf } from './forger.ts'

/** Connector data as a hand may write it, whatever a registry would. */
interface Data {
  version?: string
  leafCount?: number
  depth?: number
  dimensionCount?: number
  name?: string
  condition?: readonly [of: ProvenEntity, args: readonly number[]]
  conditionFlag?: number
  statics?: readonly (readonly [position: number, start: number, shift: number])[]
  dimensions?: readonly Dimension[]
  end?: string
}

interface Dimension {
  calls?: readonly (readonly [of: ProvenEntity, ...args: number[]])[]
  composite?: ProvenEntity
  compositeFlag?: number
  bindings?: readonly (readonly [slot: number, of: ProvenEntity])[]
}

/** A file to be made: entities, the root first, and what every checker must say of it. */
export interface HandMade {
  readonly name: string
  readonly entities: readonly ProvenEntity[]
  readonly code: string
  readonly starts?: readonly PositionedRunningInstance[]
}

const ok = 'consistent'
const bad = 'tree_data'

function u(value: number, bytes: number): string {
  const digits = (value >>> 0).toString(16).padStart(2 * bytes, '0')
  return digits.slice(-2 * bytes)
}

function at(entity: ProvenEntity): string {
  return addressOf(entity).slice(2)
}

function connector(name: string, data: Data): ProvenEntity {
  const { statics = [], dimensions = [], condition } = data
  const own = data.name ?? name
  const parts = [
    data.version ?? '0001',
    u(data.leafCount ?? dimensions.length, 2) +
      u(data.depth ?? 1, 2) +
      u(data.dimensionCount ?? dimensions.length, 2),
    u(own.length, 1) + hexOf(Buffer.from(own, 'latin1')),
    u(data.conditionFlag ?? (condition ? 1 : 0), 1),
    ...(condition
      ? [at(condition[0]), u(condition[1].length, 2), ...condition[1].map((one) => u(one, 4))]
      : []),
    u(statics.length, 2),
    ...statics.flatMap((one) => one.map((number) => u(number, 4))),
    ...dimensions.map(dimensionText),
    data.end ?? '',
  ]
  return forgedEntity('connector', name, `0x${parts.join('')}`)
}

function dimensionText({ calls = [], composite, compositeFlag, bindings = [] }: Dimension): string {
  return [
    u(calls.length, 2),
    ...calls.map(([of, ...args]) => at(of) + u(args.length, 2) + args.map((one) => u(one, 4)).join('')),
    u(compositeFlag ?? (composite ? 1 : 0), 1),
    ...(composite
      ? [at(composite), u(bindings.length, 2), ...bindings.map(([slot, of]) => u(slot, 2) + at(of))]
      : []),
  ].join('')
}

function body(name: string, source: keyof typeof compiledBodies): ProvenEntity {
  return forgedEntity('transformation', name, compiledBodies[source] as Hex)
}
function code(name: string, hex: Hex): ProvenEntity {
  return forgedEntity('transformation', name, hex)
}
function check(name: string, hex: Hex): ProvenEntity {
  return forgedEntity('condition', name, hex)
}

const add = body('add', 'return x + args[0];')
const mix = body('mix', 'x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x;')
const strict = body('strict', 'require(x < args[0], "too large"); return x + 1;')
const step: Dimension = { calls: [[add, 3]] }
const mixed: Dimension = { calls: [[mix]] }
const pair = connector('pair', { dimensions: [step, mixed] })
const single = connector('single', { dimensions: [step] })
const holds = check('holds', '0x600160005260206000f3')
const never = check('never', '0x5f60005260206000f3')
const over: Dimension = { calls: [[add, 1]], composite: pair }

function made(
  name: string,
  data: Data,
  more: readonly ProvenEntity[],
  expected: string,
  root = 'root',
): HandMade {
  return { name, entities: [connector(root, data), ...more], code: expected }
}
/** A root over `pair` with bindings. */
function bound(
  name: string,
  bindings: NonNullable<Dimension['bindings']>,
  leafCount: number,
  expected: string,
): HandMade {
  const data = { dimensions: [{ ...over, bindings }], leafCount, depth: 3 }
  return made(
    name,
    data,
    [pair, add, mix, ...(bindings.some(([, of]) => of === single) ? [single] : [])],
    expected,
  )
}
function withStatics(name: string, statics: NonNullable<Data['statics']>, expected: string): HandMade {
  return made(name, { dimensions: [step, mixed], statics }, [add, mix], expected)
}
function withCode(name: string, hex: Hex, expected = ok): HandMade {
  const one = code('odd', hex)
  return made(name, { dimensions: [{ calls: [[one]] }] }, [one], expected)
}
function withCheck(name: string, hex: Hex, expected = ok, args: readonly number[] = []): HandMade {
  const one = check('odd', hex)
  return made(name, { dimensions: [step], condition: [one, args] }, [add, one], expected)
}
function start(position: number, startPoint = 7, transformationShift = 0): PositionedRunningInstance {
  return { position, startPoint, transformationShift }
}
function started(
  name: string,
  starts: readonly PositionedRunningInstance[],
  statics: NonNullable<Data['statics']> = [],
): HandMade {
  return { ...withStatics(name, statics, ok), starts }
}

export const DATA: readonly HandMade[] = [
  made('two dimensions', { dimensions: [step, mixed] }, [add, mix], ok),
  made('one of no calls', { dimensions: [{}] }, [], ok),
  made('a composite', { dimensions: [over], leafCount: 2, depth: 2 }, [pair, add, mix], ok),
  made('sixteen dimensions', { dimensions: Array(16).fill(step) }, [add], ok),
  made('a condition that holds', { dimensions: [step], condition: [holds, [-1, 5]] }, [add, holds], ok),
  made('a condition that never holds', { dimensions: [step], condition: [never, []] }, [add, never], ok),
  made('calls of two in turn', { dimensions: [{ calls: [[add, 3], [mix]] }] }, [add, mix], ok),
  made(
    'calls of one with two arguments',
    {
      dimensions: [
        {
          calls: [
            [add, 3],
            [add, 4],
          ],
        },
      ],
    },
    [add],
    ok,
  ),
  made('a run that is rejected after steps', { dimensions: [{ calls: [[strict, 2]] }] }, [strict], ok),
  made('steps that overflow', { dimensions: [{ calls: [[add, -1]] }], statics: [[1, 9, 0]] }, [add], ok),
  bound('a binding', [[1, single]], 2, ok),
  bound(
    'two bindings',
    [
      [0, single],
      [1, single],
    ],
    2,
    ok,
  ),
  bound('a binding of two leaves', [[0, pair]], 3, ok),
  bound(
    'bindings out of order',
    [
      [1, single],
      [0, single],
    ],
    2,
    bad,
  ),
  bound(
    'a slot twice',
    [
      [0, single],
      [0, single],
    ],
    2,
    bad,
  ),
  bound(
    'a slot twice, counted twice',
    [
      [0, pair],
      [0, pair],
    ],
    4,
    bad,
  ),
  bound('a slot out of range', [[2, single]], 2, bad),
  bound('a slot far out of range', [[65_535, single]], 2, bad),
  bound('a binding counted wrong', [[0, pair]], 2, bad),
  withStatics('a static instance', [[1, 5, 0]], ok),
  withStatics('one of position 0', [[0, 5, 0]], ok),
  withStatics('one of no dimension', [[900, 5, 1]], ok),
  withStatics(
    'one of the last numbers',
    [
      [1, -1, -1],
      [2, -1, 3],
    ],
    ok,
  ),
  withStatics('one that begins past the last turn', [[0, -1, 0]], ok),
  withStatics(
    'a static instance twice',
    [
      [1, 5, 0],
      [1, 6, 0],
    ],
    bad,
  ),
  withStatics(
    'static instances out of order',
    [
      [2, 5, 0],
      [1, 6, 0],
    ],
    bad,
  ),
  started('starts of the caller', [start(1), start(2, 9, 1)]),
  started('starts that the definition fixes', [start(1)], [[1, 5, 0]]),
  started('starts out of order', [start(2), start(1)]),
  started('a start twice', [start(1), start(1, 8)]),
  started('a start of no dimension', [start(77)]),
  made('no dimension', {}, [], bad),
  made('no dimension, one leaf', { leafCount: 1 }, [], bad),
  made('a dimension more than there are', { dimensions: [step], dimensionCount: 2 }, [add], bad),
  made('a dimension fewer', { dimensions: [step, step], dimensionCount: 1, leafCount: 1 }, [add], bad),
  made('a leaf more', { dimensions: [step], leafCount: 2 }, [add], bad),
  made('no leaf', { dimensions: [step], leafCount: 0 }, [add], bad),
  made('most leaves', { dimensions: [step], leafCount: 65_535 }, [add], bad),
  made('deeper', { dimensions: [step], depth: 2 }, [add], bad),
  made('no depth', { dimensions: [step], depth: 0 }, [add], bad),
  made('a depth that is not enough', { dimensions: [over], leafCount: 2, depth: 1 }, [pair, add, mix], bad),
  made('another version', { dimensions: [step], version: '0002' }, [add], bad),
  made('no STOP in front', { dimensions: [step], version: '0101' }, [add], bad),
  made('a byte behind the end', { dimensions: [step], end: '00' }, [add], bad),
  made('a flag of the condition', { dimensions: [step], conditionFlag: 2 }, [add], bad),
  made('a flag of a composite', { dimensions: [{ ...step, compositeFlag: 255 }] }, [add], bad),
  made('no name', { dimensions: [step], name: '' }, [add], 'tree_name'),
  made('another name', { dimensions: [step], name: 'pair' }, [add], 'tree_name'),
  made('a name that speaks', { dimensions: [step], name: 'x.\nProven: all of it' }, [add], 'tree_name'),
  made('a condition as a transformation', { dimensions: [{ calls: [[holds]] }] }, [holds], 'tree_kind'),
  made(
    'a transformation as a condition',
    { dimensions: [step], condition: [mix, []] },
    [add, mix],
    'tree_kind',
  ),
  made('a transformation as a composite', { dimensions: [{ composite: mix }] }, [mix], 'tree_kind'),
  made('a part that is not there', { dimensions: [step, mixed] }, [add], 'tree_missing'),
  made('a part that nothing uses', { dimensions: [step] }, [add, mix], 'tree_superfluous'),
  made('arguments that differ', { dimensions: [step, { calls: [[add]] }] }, [add], 'tree_arguments'),
  made('one argument twice', { dimensions: [step, { calls: [[add, 1, 2]] }] }, [add], 'tree_arguments'),
]

export const BODIES: readonly HandMade[] = [
  // JUMPDEST, PUSH0, JUMP.
  withCode('code that never ends', '0x5b5f56', 'not_computable'),
  withCode('a loop that grows', '0x5b5f5f56', ok),
  withCode('no code', '0x', ok),
  withCode('STOP', '0x00', ok),
  withCode('INVALID', '0xfe', ok),
  withCode('a byte that is no instruction', '0x0c', ok),
  withCode('a jump to nowhere', '0x600456', ok),
  withCode('a jump into what is pushed', '0x6003565b605b56', ok),
  withCode('an empty stack', '0x01', ok),
  withCode('a stack that is full', '0x5b5f600056', ok),
  withCode('a revert without data', '0x5f5ffd', ok),
  withCode('a revert with data', '0x60205ffd', ok),
  withCode('a word in any case', '0x602a60005260206000f3', ok),
  withCode('a word of 256 bits', '0x5f1960005260206000f3', ok),
  withCode('too few bytes', '0x601f5ff3', ok),
  withCode('four bytes a step', '0x601060005260106000f3', ok),
  withCode('very much memory', '0x602a5f526001640100000000525f60205ff3', ok),
  withCode('very much memory, returned', '0x6402000000005ff3', ok),
  withCode('its own size', '0x3860005260206000f3', ok),
  withCode('what nothing returned', '0x3d60005260206000f3', ok),
  withCode('a copy of what nothing returned', '0x60015f5f3e00', ok),
  withCode('its transient storage', '0x5f5c60005260206000f3', ok),
  withCode('a write to its transient storage', '0x5f5f5d00', ok),
  withCode('a write to its storage', '0x5f5f5500', ok),
  withCode('a log', '0x5f5fa000', ok),
  withCode('its storage', '0x5f5460005260206000f3', 'not_recheckable'),
  withCode('its gas', '0x5a60005260206000f3', 'not_recheckable'),
  withCode('its address', '0x3060005260206000f3', 'not_recheckable'),
  withCode('the time', '0x4260005260206000f3', 'not_recheckable'),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((precompile) =>
    withCode(
      `a call of precompile ${precompile}`,
      `0x60205f60205f${u(0x60, 1)}${u(precompile, 1)}5afa00`,
      'not_recheckable',
    ),
  ),
  withCode('a call of another contract', '0x5f5f5f5f5f3063fffffffff100', 'not_recheckable'),
  withCode('code larger than a chain accepts', `0x${'5b'.repeat(24_577)}`, 'packed'),
  withCheck('a condition that is 2', '0x600260005260206000f3', ok),
  withCheck('a condition of one byte', '0x600160005260016000f3', ok),
  withCheck('a condition that says nothing', '0x00', ok),
  withCheck('a condition that fails', '0xfe', ok),
  withCheck('a condition that reverts', '0x602a5f5260205ffd', ok),
  withCheck('a condition of its first argument', '0x60443560005260206000f3', ok, [1]),
]

/** The file of a hand-made connector, with what its code gives where that is known. */
export async function fileOf({ entities, starts = [] }: HandMade): Promise<string> {
  const { contentHash, ...answer } = answerOf(entities, starts)
  return forge(entities, contentHash, { ...answer, starts })
}

function answerOf(entities: readonly ProvenEntity[], starts: readonly PositionedRunningInstance[]) {
  const unknown = { result: 'particles' as const, answer: new Uint8Array() }
  let contentHash: Hash = `0x${'11'.repeat(32)}`
  try {
    const tree = readTree(FORGED_REGISTRY, entities)
    contentHash = tree.root.contentHash
    checkInput(tree)
    const { ok: returns, output } = computeRun(
      { tree, count: 4, starts },
      { steps: 100_000, milliseconds: 5000 },
    )
    return { contentHash, result: returns ? ('particles' as const) : ('revert' as const), answer: output }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { contentHash, ...unknown }
  }
}
