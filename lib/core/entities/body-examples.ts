import type { Context } from '#lib/core/context/context.ts'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import { traitsOf } from '#lib/protocol/code-traits.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { artifactHash } from './entity-traits.ts'
import { artifactClosure } from './load-artifacts.ts'

/** Values of a body for arguments chosen here, made by running it as it is on chain. */
export type BodyExamples =
  /** A transformation applied to its own result again and again, as a dimension does. */
  | { readonly kind: 'transformation'; readonly lines: readonly ExampleLine[] }
  /** A condition asked with the arguments of a grid: the first across, the second down. */
  | { readonly kind: 'condition'; readonly argsCount: number; readonly rows: readonly (readonly Answer[])[] }

export interface ExampleLine {
  readonly x: number
  readonly args: readonly number[]
  /** After each step; ends where the body refuses. */
  readonly values: readonly number[]
}

/** Undefined where the body refuses. */
type Answer = boolean | undefined

const STEPS = 48
/** Bodies may claim four billion arguments; such have no examples. */
const MAX_ARGUMENTS = 16
/** Share of the time of one simulation that all examples of a body have together. */
const TIME_SHARE = 1 / 10
const CACHED = 512
/** Milliseconds for which examples are cached that another time may bring out otherwise. */
const PASSING_MS = 60_000

/** Start and first arguments of each line: small numbers, so that growth is seen early. */
const STARTS = [
  [1, 3, 16, 2],
  [5, 2, 24, 7],
  [12, 7, 9, 3],
] as const

/** Take the place of lines of fewer values than this, where they show more. */
const LIVELY = 4
const MORE_STARTS = [
  [2, 5, 3, 64],
  [7, 13, 7, 31],
  [20, 11, 5, 100],
] as const

const ACROSS = 8
const DOWN = 4

const cache = new ByteLru<Hash, { readonly examples: BodyExamples | undefined; readonly until: number }>(
  CACHED,
)

/**
 * Examples of a published body, or of a draft.
 *
 * @returns undefined for an unknown name, where the body is unverified or takes too many arguments, and when they take
 *   too long.
 * @throws Failure('overloaded')
 */
export async function bodyExamples(
  ctx: Context,
  kind: 'transformation' | 'condition',
  name: string,
): Promise<BodyExamples | undefined> {
  const hash = await artifactHash(ctx, kind, name)
  if (!hash) return undefined
  const entry = cache.get(hash)
  if (entry !== undefined && entry.until > ctx.clock().getTime()) return entry.examples
  const [artifact] = await artifactClosure(ctx, [hash])
  if (artifact === undefined || artifact.kind === 'connector' || artifact.argsCount > MAX_ARGUMENTS)
    return undefined
  const examples = await ctx.places.examples.run(async () => {
    // Its time begins with its turn.
    const attempts = tryBody(ctx, artifact)
    const example = await (kind === 'condition'
      ? askCondition(artifact.argsCount, attempts.run)
      : runLines(artifact.argsCount, attempts))
    // What did not run has not refused.
    return attempts.ranOutOfTime() ? undefined : example
  }, ctx)
  const lasting = examples !== undefined && traitsOf([artifact]).dependsOn === 'input'
  const until = lasting ? Number.POSITIVE_INFINITY : ctx.clock().getTime() + PASSING_MS
  cache.set(hash, { examples, until }, 1)
  return examples
}

interface Attempts {
  readonly run: Run
  ranOutOfTime(): boolean
  /** Whether as much again, and more, would still be in time. */
  isQuick(): boolean
}

type Run = (x: number, args: readonly number[], steps: number) => Promise<readonly number[]>

async function runLines(argsCount: number, { run, isQuick }: Attempts): Promise<BodyExamples> {
  const lines: ExampleLine[] = []
  const line = async ([x, ...first]: readonly [number, ...number[]]) => {
    const args = argumentsOf(argsCount, first)
    return { x, args, values: await run(x, args, STEPS) }
  }
  for (const start of STARTS) lines.push(await line(start))
  for (const start of MORE_STARTS) {
    const [dull] = lines.toSorted((a, b) => valuesOf(a) - valuesOf(b))
    if (dull === undefined || valuesOf(dull) >= LIVELY || !isQuick()) break
    const other = await line(start)
    if (valuesOf(other) > valuesOf(dull)) lines[lines.indexOf(dull)] = other
  }
  return { kind: 'transformation', lines }
}

/** Number of different values of a line. */
function valuesOf({ values }: ExampleLine): number {
  return new Set(values).size
}

async function askCondition(argsCount: number, run: Run): Promise<BodyExamples> {
  const across = argsCount === 0 ? 1 : ACROSS
  const down = argsCount < 2 ? 1 : DOWN
  const rows: Answer[][] = []
  for (let y = 0; y < down; y++) {
    const row: Answer[] = []
    for (let x = 0; x < across; x++) {
      const [value] = await run(0, argumentsOf(argsCount, [x, y]), 1)
      row.push(value === undefined ? undefined : value !== 0)
    }
    rows.push(row)
  }
  return { kind: 'condition', argsCount, rows }
}

function argumentsOf(count: number, first: readonly number[]): number[] {
  return Array.from({ length: count }, (_, index) => first[index] ?? 1)
}

/** Runs a body until the time of all its examples is over; nothing runs after a run that reached a limit. */
function tryBody(ctx: Context, artifact: CodeArtifact): Attempts {
  const budgetMs = ctx.config.simulate.timeoutMs * TIME_SHARE
  const timeout = AbortSignal.timeout(budgetMs)
  const began = performance.now()
  const signal = AbortSignal.any([ctx.signal, timeout])
  let over = false
  return {
    run: async (x, args, steps) => {
      if (over || timeout.aborted) return []
      try {
        return (await ctx.explainer.tryBody({ artifact, x, args, steps, signal })).values
      } catch (error) {
        over = true
        ctx.signal.throwIfAborted()
        if (timeout.aborted || (error instanceof Failure && error.code === 'rejected')) return []
        throw error
      }
    },
    ranOutOfTime: () => timeout.aborted,
    isQuick: () => performance.now() - began < budgetMs / 3,
  }
}
