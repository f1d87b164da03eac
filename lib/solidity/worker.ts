import { type BodyKind, type CompileOutcome, compileBody } from './compile-body.ts'
import { loadSolc } from './solc.ts'

export interface CompileTask {
  readonly kind: BodyKind
  readonly body: string
  /** Set to 1 and notified when the body leaves the queue, so that waiting does not count as compiling. */
  readonly started: Int32Array
}

loadSolc()

/** Entry of a pool thread. */
export default function compile({ kind, body, started }: CompileTask): CompileOutcome {
  Atomics.store(started, 0, 1)
  Atomics.notify(started, 0)
  return compileBody(kind, body)
}
