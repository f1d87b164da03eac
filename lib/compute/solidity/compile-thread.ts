import { setFlagsFromString } from 'node:v8'
import { workerData } from 'node:worker_threads'
import type { PoolTask } from '../threads/task.ts'
import { onThread } from '../threads/thread-log.ts'
import { type BodyKind, type CompileOutcome, compileBody } from './compile-body.ts'
import type { SolcProgram } from './program.ts'
import { loadSolc } from './solc.ts'

export interface CompileTask extends PoolTask {
  readonly kind: BodyKind
  readonly body: string
}

// V8 frees compiler code that it has replaced by faster code, in a way that can end the whole process when several
// threads do so: "Check failed: jit_page_->allocations_.erase(addr) == 1", https://github.com/nodejs/node/issues/64500.
// Retaining it costs no measurable memory: threads share the code.
setFlagsFromString('--no-wasm-code-gc')

const { shared } = workerData as CompileThreadData
const program = loadSolc(shared)

// The first compilation is several times slower than later ones; no author should pay for it out of the time limit.
compileBody('transformation', 'return x;')

/** Program of an earlier thread; absent for the first. */
export interface CompileThreadData {
  shared?: SolcProgram | undefined
}

/** Entry of a pool thread. */
export default function compile(task: CompileTask): Promise<CompileOutcome> {
  return onThread(
    'compile',
    task,
    () => {
      const outcome = compileBody(task.kind, task.body)
      // A body that made the compiler unfit waits for its replacement itself.
      loadSolc()
      return outcome
    },
    { shared: program } satisfies CompileThreadData,
  )
}
