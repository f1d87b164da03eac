import type { EntityKind } from '#lib/protocol/entity.ts'
import type { TestDatabase } from '#test/support/database.ts'
import type { Scene, Transaction } from './attack.ts'
import { answering, assemble } from './evm.ts'
import type { HONEST } from './program.ts'
import { type Content, codeContent } from './publications.ts'

interface Honest {
  readonly transactions: readonly Transaction[]
  readonly named: readonly { readonly kind: EntityKind; readonly name: string }[]
}

const BODIES = [
  'return x + args[0];',
  'return x * 3 + 1;',
  'return x ^ (args[0] + args[1]);',
  'if (x % 2 == 0) return x / 2; return x * 3 + args[0];',
  'uint32 y = x; for (uint32 i = 0; i < 5; i++) y = y * 31 + args[0]; return y;',
] as const
const CONDITIONS = ['return args[0] > 0;', 'return true;', 'return args[0] + args[1] != 7;'] as const

/** x + 1. */
const STEPS = assemble(answering('DUP1 4 CALLDATALOAD ADD 1 ADD'))

/** Publications of an ordinary author, through the API where they are not `direct`. */
export async function honestTransactions(
  scene: Scene,
  what: (typeof HONEST)[number],
  db: TestDatabase,
): Promise<Honest> {
  if (what === 'transformation' || what === 'condition') {
    const name = scene.name(`honest_${what}`)
    const body = scene.random.pick(what === 'condition' ? CONDITIONS : BODIES)
    const transaction = await scene.prepared(what, name, body)
    return transaction === undefined
      ? { transactions: [], named: [] }
      : { transactions: [transaction], named: [{ kind: what, name }] }
  }
  if (what === 'connector') return connector(scene, db)
  return direct(scene)
}

/** Over an entity that readers see already, honest or not: authors cannot distinguish. */
async function connector(scene: Scene, db: TestDatabase): Promise<Honest> {
  const rows = await db.sql<{ kind: EntityKind; name: string }[]>`
    select kind, name from entities where artifact_hash is not null order by name`
  const usable = rows.flatMap(({ kind, name }) => scene.lookup(kind, name) ?? [])
  const some = (kind: EntityKind): Content | undefined => {
    const of = usable.filter((each) => each.kind === kind && each.size <= 64 && each.depth <= 16)
    return of.length === 0 ? undefined : scene.random.pick(of)
  }
  const args = ({ size }: Content) => Array.from({ length: size }, (_, i) => i + 1)
  const dimensions = Array.from({ length: scene.random.between(1, 3) }, () => {
    const call = some('transformation')
    const composite = scene.random.chance(0.4) ? some('connector') : undefined
    return {
      transformations: call === undefined ? [] : [{ name: call.name, args: args(call) }],
      ...(composite && { composite: composite.name }),
    }
  })
  const condition = scene.random.chance(0.2) ? some('condition') : undefined
  const name = scene.name('honest_connector')
  const transaction = await scene.preparedConnector({
    name,
    dimensions,
    ...(condition && { condition_name: condition.name, condition_args: args(condition) }),
  })
  return transaction === undefined
    ? { transactions: [], named: [] }
    : { transactions: [transaction], named: [{ kind: 'connector', name }] }
}

/** A transformation and a connector over it in one block, as a program that needs no server would publish them. */
function direct(scene: Scene): Honest {
  // x + 1, for every entry point: four bytes a step, and a word for a single one.
  const code = codeContent('transformation', scene.name('honest_direct'), 0, STEPS)
  const over = { name: scene.name('honest_over'), dimensions: [{ transformations: [{ name: code.name }] }] }
  const transactions = [code, () => scene.connector(over)].map((each) => {
    const content = scene.publishes(typeof each === 'function' ? each() : each)
    return { ...scene.direct(content), honest: true }
  })
  return {
    transactions,
    named: [
      { kind: 'transformation', name: code.name },
      { kind: 'connector', name: over.name },
    ],
  }
}
