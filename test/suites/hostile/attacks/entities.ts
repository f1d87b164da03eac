import { toHex } from 'viem'
import type { Hex } from '#lib/protocol/entity.ts'
import type { ConnectorSketch } from '#test/support/definitions.ts'
import { type Attack, choice, type Scene, type Transaction } from '../attack.ts'
import { ANY_SIGNATURE, answering, assemble, carried, constructorOf, type Piece } from '../evm.ts'
import { type Content, codeContent, publishCalldata } from '../publications.ts'

/** With words of an author the worker has to search the calldata for them. */
export const WORDS: Hex = '0x7b7d'

const CODE_KINDS = ['transformation', 'condition'] as const
function kindOf(index: number | undefined) {
  return choice(CODE_KINDS, index)
}

/** A connector over a transformation that wants `args` arguments, where so many fit. */
export function connectorOver(scene: Scene, content: Content): Transaction[] {
  if (content.size > 1_000) return []
  const args = Array.from({ length: content.size }, (_, i) => i)
  const sketch: Omit<ConnectorSketch, 'name'> =
    content.kind === 'connector'
      ? { dimensions: [{ composite: content.name }] }
      : content.kind === 'transformation'
        ? { dimensions: [{ transformations: [{ name: content.name, args }] }] }
        : { dimensions: [{}], condition_name: content.name, condition_args: args }
  return [scene.direct(scene.publishes(scene.connector({ name: scene.name('over'), ...sketch })))]
}

/** Publishes through a contract, so that the transaction's own calldata is not a call of `publish`. */
export async function throughCarrier(
  scene: Scene,
  contents: readonly Content[],
  how: Piece['how'],
  gas = 30_000_000,
): Promise<Transaction> {
  const owner = await scene.carrier()
  const pieces = contents.map((content, i) => ({
    how,
    data: publishCalldata(scene.publishes(content), owner, { nonce: BigInt(i), metadata: WORDS }),
  }))
  return { from: scene.account(), to: owner, data: carried(pieces), gas }
}

const SELF_DESTROYING = [
  'CALLER SELFDESTRUCT',
  'ADDRESS SELFDESTRUCT',
  'here: CALLER SELFDESTRUCT',
  'CALLDATASIZE ISZERO @end JUMPI 1 0 MSTORE 32 0 RETURN end: CALLER SELFDESTRUCT',
] as const

/** Publishes code that destroys itself and calls it, all while the publishing contract is created (EIP-6780). */
const selfDestruct: Attack = {
  name: 'self-destruct',
  weight: 2,
  parameters: { code: [0, 3], hidden: [0, 1], kind: [0, 1], over: [0, 1] },
  async build(scene, { code, hidden, kind, over }) {
    const from = scene.account()
    const owner = scene.created(from)
    const runtime = assemble(choice(SELF_DESTROYING, code))
    const content = codeContent(kindOf(kind), scene.name('gone'), 0, runtime)
    const data = constructorOf([
      { to: scene.registry, data: publishCalldata(content, owner), hidden: hidden === 1 },
      { to: await scene.addressOf(content), data: '0x', hidden: false },
    ])
    const attack: Transaction = { from, to: undefined, data }
    return over === 1 ? [attack, ...connectorOver(scene, scene.publishes(content))] : [attack]
  },
}

/** An entity whose code is gone when it is read. The registry's scan leaves no way to do so: this takes the node's help. */
const vanished: Attack = {
  name: 'vanished code',
  parameters: { kind: [0, 2], hidden: [0, 1], over: [0, 1] },
  async build(scene, { kind, hidden, over }) {
    const runtime = assemble(answering('DUP1'))
    const content =
      kind === 2
        ? scene.connector({ name: scene.name('vanished'), dimensions: [{}] })
        : codeContent(kindOf(kind), scene.name('vanished'), 0, runtime)
    const erases = await scene.addressOf(content)
    const publication =
      hidden === 1 ? await throughCarrier(scene, [content], 'hidden') : scene.direct(scene.publishes(content))
    return [{ ...publication, erases }, ...(over === 1 ? connectorOver(scene, content) : [])]
  },
}

/** Delegates to a contract that destroys its caller, or makes others: what the code scan must refuse. */
const forbiddenCode: Attack = {
  name: 'forbidden code',
  parameters: { code: [0, 5], kind: [0, 1], pushed: [0, 1] },
  async build(scene, { code, kind, pushed }) {
    const other = await scene.contract(assemble('CALLER SELFDESTRUCT'))
    const body = choice(
      [
        `0 0 0 0 ${other} GAS DELEGATECALL`,
        `0 0 0 0 0 ${other} GAS CALLCODE`,
        '0 0 0 CREATE',
        '0 0 0 0 CREATE2',
        'CALLER SELFDESTRUCT',
        // Behind a false end: data in the form of the argument of a PUSH.
        'STOP 0x60 CALLER SELFDESTRUCT',
      ],
      code,
    )
    // A PUSH32 whose data holds every forbidden byte is harmless, and must be allowed.
    const harmless = `0xf0f1f2f4f5ff${'ff'.repeat(26)} POP`
    const runtime = assemble(`${pushed === 1 ? harmless : ''} ${body} 1 0 MSTORE 32 0 RETURN`)
    const content = codeContent(kindOf(kind), scene.name('forbidden'), 0, runtime)
    const allowed = codeContent(
      kindOf(kind),
      scene.name('allowed'),
      0,
      assemble(`${harmless} 1 0 MSTORE 32 0 RETURN`),
    )
    return [scene.direct(content), scene.direct(scene.publishes(allowed)), ...connectorOver(scene, allowed)]
  },
}

const COUNTS = [257, 256, 255, 1_000, 65_536, 2 ** 31, 2 ** 32 - 1]

/** Hand-made entities with as many arguments as no body of ours would have. */
const argumentCounts: Attack = {
  name: 'argument counts',
  weight: 2,
  parameters: { count: [0, COUNTS.length - 1], hidden: [0, 2], kind: [0, 1] },
  async build(scene, { count, hidden, kind }) {
    const runtime = assemble('1 0 MSTORE 32 0 RETURN')
    const content = codeContent(kindOf(kind), scene.name('counted'), choice(COUNTS, count), runtime)
    const how = choice(['call', 'hidden', 'direct'] as const, hidden)
    const publication =
      how === 'direct' ? scene.direct(scene.publishes(content)) : await throughCarrier(scene, [content], how)
    return [publication, ...connectorOver(scene, content)]
  },
}

const NAMES = [
  ...[
    'uint8',
    'constructor',
    'function',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    'then',
    'toJSON',
  ],
  ...[
    'length',
    'prototype',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    'true',
    'this',
    'block',
    'msg',
    'address',
  ],
  ...['bytes32', 'fixed128x18', 'int', 'error', 'revert', 'from', '_', '__', 'transformation', 'condition'],
  ...['connector', 'openapi', 'con', 'index', 'select', 'limit', 'after', 'name', 'http', 'run', 'studio'],
  ...['_'.repeat(128), 'a'.repeat(128), `${'a'.repeat(127)}b`, 'A'.repeat(128), `A${'0'.repeat(127)}`],
  ...['isPrototypeOf', '__defineGetter__', '__lookupSetter__', 'propertyIsEnumerable', 'caller', 'arguments'],
] as const

/** Names that programs trip over, in all three kinds at once, a connector over its own namesakes. */
const names: Attack = {
  name: 'names',
  weight: 3,
  parameters: { name: [0, NAMES.length - 1], hidden: [0, 1] },
  async build(scene, { name, hidden }) {
    const called = choice(NAMES, name)
    if (scene.lookup('connector', called) !== undefined) return []
    const runtime = assemble('4 CALLDATALOAD 1 ADD 0 MSTORE 32 0 RETURN')
    const pair = CODE_KINDS.map((kind) => codeContent(kind, called, 0, runtime))
    const first = await throughCarrier(scene, pair, hidden === 1 ? 'hidden' : 'call')
    const connector = scene.connector({
      name: called,
      dimensions: [{ transformations: [{ name: called }] }, { transformations: [{ name: called }] }],
      condition_name: called,
    })
    const over = scene.connector({
      name: scene.name('namesake'),
      dimensions: [{}],
    })
    scene.publishes(connector)
    const bound = scene.connector({
      name: scene.name('bound'),
      dimensions: [{ composite: called, bindings: { 0: called, 1: called } }],
      static_ri: { 0: { start_point: 3, transformation_shift: 2 ** 32 - 1 } },
    })
    return [first, ...[connector, over, bound].map((each) => scene.direct(scene.publishes(each)))]
  },
}

function random(scene: Scene, size: number): Hex {
  return toHex(Uint8Array.from({ length: size }, () => scene.random.between(0, 255)))
}

/** Code that is no program of any compiler. */
const strangeCode: Attack = {
  name: 'strange code',
  weight: 2,
  parameters: { code: [0, 9], size: [1, 24_576], kind: [0, 1], hidden: [0, 1] },
  async build(scene, { code, size = 1, kind, hidden }) {
    const runtime = choice<() => Hex>(
      [
        () => `0x${'5b'.repeat(size)}`,
        () => `0x${'5b'.repeat(size - 1)}7f`,
        () => `0x${'60'.repeat(size)}`,
        () => random(scene, size),
        () => `0x${'00'.repeat(size)}`,
        () => `0xfe${'5b'.repeat(size - 1)}`,
        () => `0x${'5f56'.repeat(Math.max(1, size >> 1))}`,
        // A connector's own data as code, and nearly so.
        () => `0x0001${'00'.repeat(Math.max(1, size - 2))}`,
        // A proxy's and a delegation's beginning.
        () => `0x363d3d373d3d3d363d73${'11'.repeat(Math.max(1, size))}`.slice(0, 2 + 24_576 * 2) as Hex,
        () => `0x${'6001600101'.repeat(Math.max(1, Math.floor(size / 5)))}`,
      ],
      code,
    )()
    const content = codeContent(kindOf(kind), scene.name('strange'), 0, runtime)
    const publication =
      hidden === 1 ? await throughCarrier(scene, [content], 'hidden') : scene.direct(scene.publishes(content))
    return [publication, ...connectorOver(scene, content)]
  },
}

/** Owners that are contracts, and sign in ways of their own (EIP-1271 with the registry's blessing). */
const owners: Attack = {
  name: 'contract owners',
  parameters: { how: [0, 2] },
  async build(scene, { how }) {
    const content = codeContent('transformation', scene.name('owned'), 0, assemble('1 0 MSTORE 32 0 RETURN'))
    const owner = await scene.contract(
      choice(
        [ANY_SIGNATURE, `0x5b${'5b'.repeat(100)}${ANY_SIGNATURE.slice(2)}`, ANY_SIGNATURE] as Hex[],
        how,
      ),
    )
    const data = publishCalldata(content, owner, { signature: how === 2 ? random(scene, 20_000) : '0x01' })
    scene.publishes(content)
    return [{ from: scene.account(), to: scene.registry, data }, ...connectorOver(scene, content)]
  },
}

/** Takes the names of honest publications of the same block before they are mined. */
const squatter: Attack = {
  name: 'squatter',
  parameters: { same: [0, 1] },
  build(scene, { same }) {
    return scene.pending.flatMap(({ kind, name }) => {
      if (kind === 'connector') return []
      const runtime = same === 1 ? assemble('0 0 REVERT') : assemble('STOP')
      return [scene.direct(codeContent(kind, name, 0, runtime))]
    })
  },
}

export const entityAttacks: readonly Attack[] = [
  selfDestruct,
  vanished,
  forbiddenCode,
  argumentCounts,
  names,
  strangeCode,
  owners,
  squatter,
]
