import { createEngine, type Engine, translators } from '#lib/engine/engine.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Tree } from '#lib/protocol/entity-tree.ts'
import type { PieceData, WorldData } from '../../data.ts'
import { checkPiece, type Finding, slotTreesOf, treeOf } from './check-piece.ts'
import { type Turn, turnedTree } from './turned-tree.ts'

interface RunTask {
  readonly kind: 'run'
  /** The piece itself by default. */
  readonly connector?: string | undefined
  readonly count: number
  readonly turns: readonly Turn[]
  readonly starts?: readonly PositionedRunningInstance[] | undefined
}

type Task = RunTask | { readonly kind: 'check' }

/** Values of one path. */
export interface Stream {
  readonly path: string
  readonly data: readonly number[]
}

export type RunAnswer = { readonly streams: readonly Stream[] } | { readonly problem: string }

interface Opening {
  readonly piece: PieceData
  readonly world: WorldData | undefined
}
type ToWorker = Opening | (Task & { readonly id: number })
type FromWorker =
  | { readonly id: number; readonly answer: RunAnswer | readonly Finding[] }
  | { readonly id: number; readonly error: string }

const MAX_VALUES = 8 * 1024 * 1024
const LIMITS = { steps: 2_000_000_000, gas: 0n, milliseconds: 20_000 }

/** Runs and checks of one file. */
function createTasks({ piece, world }: Opening) {
  const engine: Engine = createEngine({ translators, cacheBytes: 64 * 1024 * 1024, withoutGas: true })
  let trees: { readonly own: Tree; readonly slots: readonly Tree[] } | undefined
  const run = ({ connector, count, turns, starts = [] }: RunTask): RunAnswer => {
    trees ??= { own: treeOf(piece), slots: slotTreesOf(piece) }
    const { own, slots } = trees
    const has = ({ built }: Tree) =>
      built.some((each) => each.kind === 'connector' && each.name === connector)
    const slot = has(own) ? undefined : slots.find(has)
    // The knobs are those of the piece alone.
    const parts = slot ? turnedTree(slot, [], connector) : turnedTree(own, turns, connector)
    const root = parts?.artifacts.find(({ contentHash }) => contentHash === parts.root)
    if (parts === undefined || root?.kind !== 'connector')
      return { problem: `There is no connector ${connector} in this file.` }
    if (root.leafCount * count > MAX_VALUES) return { problem: 'It has more values than this file computes.' }
    const outcome = engine.runNow({ ...parts, particlesCount: count, dynamicRi: starts }, LIMITS)
    switch (outcome.status) {
      case 'returned':
        return { streams: outcome.particles.map(({ path, data }) => ({ path, data: Array.from(data) })) }
      case 'reverted':
        return { problem: 'The run stops: the code of the piece refuses these numbers.' }
      case 'exhausted':
        return { problem: 'The run takes more work than this file does.' }
      default:
        return { problem: 'The code uses what this file cannot compute.' }
    }
  }
  return { run, check: () => checkPiece(piece, world) }
}

/** The part of the worker: runs what the page asks for. */
export function serveTasks(): void {
  const scope = globalThis as unknown as {
    onmessage: ((event: { readonly data: ToWorker }) => void) | null
    postMessage(message: FromWorker): void
  }
  let tasks: ReturnType<typeof createTasks> | undefined
  scope.onmessage = ({ data }) => {
    if ('piece' in data) tasks = createTasks(data)
    else if (tasks !== undefined) {
      try {
        scope.postMessage({ id: data.id, answer: data.kind === 'run' ? tasks.run(data) : tasks.check() })
      } catch (error) {
        scope.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) })
      }
    }
  }
}

export interface Tasks {
  run(task: Omit<RunTask, 'kind'>): Promise<RunAnswer>
  check(): Promise<readonly Finding[]>
}

/** Starts the worker from the text of the page's own program. */
export function startTasks(program: string, opening: Opening): Tasks {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }))
  const worker = new Worker(url)
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let last = 0
  const fail = (message: string) => {
    for (const { reject } of waiting.values()) reject(new Error(message))
    waiting.clear()
  }
  worker.onerror = (event) => fail(event.message || 'This browser starts no worker for the file.')
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    const task = waiting.get(data.id)
    waiting.delete(data.id)
    if ('error' in data) task?.reject(new Error(data.error))
    else task?.resolve(data.answer as never)
  }
  worker.postMessage(opening satisfies ToWorker)
  const send = <T>(task: Task): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      worker.postMessage({ ...task, id: last } satisfies ToWorker)
    })
  return {
    run: (task) => send({ ...task, kind: 'run' }),
    check: () => send({ kind: 'check' }),
  }
}
