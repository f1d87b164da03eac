import { type BodyKind, type CompileOutcome, compileBody } from './compile-body.ts'
import { loadSolc } from './solc.ts'

export interface CompileTask {
  readonly kind: BodyKind
  readonly body: string
  /** Set to 1 and notified when the body leaves the queue, so that waiting does not count as compiling. */
  readonly started: Int32Array
}

// The first compilation is several times slower than later ones; no author should pay for it out of the time limit.
compileBody('transformation', 'return x;')

/** Entry of a pool thread. */
export default function compile({ kind, body, started }: CompileTask): CompileOutcome {
  Atomics.store(started, 0, 1)
  Atomics.notify(started, 0)
  const outcome = compileBody(kind, body)
  // A body that made the compiler unfit waits for its replacement itself.
  loadSolc()
  return outcome
}
