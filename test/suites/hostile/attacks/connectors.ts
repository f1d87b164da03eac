import type { ConnectorSketch } from '#test/support/definitions.ts'
import { type Attack, choice, type Scene, type Transaction } from '../attack.ts'
import { assemble } from '../evm.ts'
import { type Content, codeContent } from '../publications.ts'

function published(scene: Scene, sketch: ConnectorSketch): { content: Content; transaction: Transaction } {
  const content = scene.publishes(scene.connector(sketch))
  return { content, transaction: scene.direct(content) }
}

/** Levels over levels: first each of two dimensions, which doubles the paths, then of one, which lengthens them. */
const tower: Attack = {
  name: 'tower',
  heavy: true,
  parameters: { doubling: [0, 12], single: [0, 243], nameLength: [8, 128], condition: [0, 1] },
  build(scene, { doubling = 0, single = 0, nameLength = 8, condition }) {
    const transactions: Transaction[] = []
    const check = codeContent('condition', scene.name('gate'), 0, assemble('1 0 MSTORE 32 0 RETURN'))
    if (condition === 1) transactions.push(scene.direct(scene.publishes(check)))
    const gate = condition === 1 ? { condition_name: check.name } : {}
    const name = () => scene.name('tower', nameLength)
    let below = published(scene, { name: name(), dimensions: [{}], ...gate })
    transactions.push(below.transaction)
    for (let level = 0; level < doubling + single; level++) {
      const dimension = { composite: below.content.name }
      const dimensions = level < doubling ? [dimension, dimension] : [dimension]
      below = published(scene, { name: name(), dimensions, ...gate })
      transactions.push(below.transaction)
    }
    return transactions
  },
}

/** Many connectors over one of thousands of paths: each costs its publisher little and produces much data. */
const fan: Attack = {
  name: 'fan',
  heavy: true,
  parameters: { width: [1, 16], levels: [1, 3], copies: [1, 60], nameLength: [8, 128] },
  build(scene, { width = 1, levels = 1, copies = 1, nameLength = 8 }) {
    const transactions: Transaction[] = []
    let below: Content | undefined
    for (let level = 0; level < levels; level++) {
      const composite = below?.name ?? ''
      const dimensions = Array.from({ length: width }, () => ({ composite }))
      const next = published(scene, { name: scene.name('fan', nameLength), dimensions })
      transactions.push(next.transaction)
      below = next.content
    }
    const composite = (below as Content).name
    for (let copy = 0; copy < copies; copy++) {
      const name = scene.name('blade', nameLength)
      transactions.push(published(scene, { name, dimensions: [{ composite }] }).transaction)
    }
    return transactions
  },
}

/** Connectors as large as their code may be, in each direction. */
const largeConnector: Attack = {
  name: 'large connector',
  parameters: { what: [0, 4], size: [1, 4_096] },
  build(scene, { what, size = 1 }) {
    const { name: step } = scene.publishes(
      codeContent('transformation', scene.name('step'), 0, assemble('4 CALLDATALOAD 0 MSTORE 32 0 RETURN')),
    )
    const wide = codeContent('transformation', scene.name('wide'), size, assemble('1 0 MSTORE 32 0 RETURN'))
    const gate = codeContent('condition', scene.name('gate'), size, assemble('1 0 MSTORE 32 0 RETURN'))
    const args = Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 2 ** 32 - 1 - i : i))
    const sketch = choice<Omit<ConnectorSketch, 'name'>>(
      [
        { dimensions: Array.from({ length: size }, () => ({})) },
        {
          dimensions: [
            { transformations: Array.from({ length: Math.min(size, 1_000) }, () => ({ name: step })) },
          ],
        },
        { dimensions: [{ transformations: [{ name: wide.name, args }] }] },
        {
          dimensions: [{ transformations: [{ name: step }] }],
          condition_name: gate.name,
          condition_args: args.map((arg) => arg | 0),
        },
        {
          dimensions: Array.from({ length: Math.min(size, 1_600) }, () => ({})),
          static_ri: Object.fromEntries(
            Array.from({ length: Math.min(size, 1_600) }, (_, i) => [
              i,
              { start_point: 2 ** 32 - 1 - i, transformation_shift: 2 ** 32 - 1 },
            ]),
          ),
        },
      ],
      what,
    )
    const needs = [
      scene.lookup('transformation', step) as Content,
      scene.publishes(wide),
      scene.publishes(gate),
    ]
    return [
      ...needs.map((content) => scene.direct(content)),
      published(scene, { name: scene.name('big'), ...sketch }).transaction,
    ]
  },
}

/** Connectors over whatever was published before, honest or not. */
const tangle: Attack = {
  name: 'tangle',
  weight: 2,
  parameters: { connectors: [1, 8], dimensions: [1, 6], composite: [0, 1], bindings: [0, 3] },
  build(scene, { connectors = 1, dimensions = 1, composite, bindings = 0 }) {
    return Array.from({ length: connectors }, () => {
      const condition = scene.random.chance(0.3) ? scene.known('condition', 1)[0] : undefined
      const sketch = {
        name: scene.name('tangle'),
        dimensions: Array.from({ length: dimensions }, () => {
          const transformations = scene
            .known('transformation', scene.random.between(0, 3))
            .filter(({ size }) => size <= 200)
            .map(({ name, size }) => ({
              name,
              args: Array.from({ length: size }, () => scene.random.between(0, 2 ** 32 - 1)),
            }))
          const child =
            composite === 1
              ? scene.known('connector', 1).find(({ size, depth }) => size < 64 && depth < 12)
              : undefined
          if (child === undefined) return { transformations }
          const slots = [
            ...new Set(Array.from({ length: bindings }, () => scene.random.between(0, child.size - 1))),
          ]
          const targets = slots.flatMap((slot) =>
            scene
              .known('connector', 1)
              .flatMap((target) =>
                target.size < 16 && target.depth < 12 ? [[slot, target.name] as const] : [],
              ),
          )
          return { transformations, composite: child.name, bindings: Object.fromEntries(targets) }
        }),
        ...(condition !== undefined &&
          condition.size <= 200 && {
            condition_name: condition.name,
            condition_args: Array.from({ length: condition.size }, () => -1),
          }),
      }
      return published(scene, sketch).transaction
    })
  },
}

export const connectorAttacks: readonly Attack[] = [tower, fan, largeConnector, tangle]
