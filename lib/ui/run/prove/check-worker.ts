/* The worker that checks certificates: the engine compiles what it translates, which no page may. Entry of a script of its own. */

import { checkFile } from '../../../engine/proof/check.ts'

interface WorkerScope {
  onmessage: ((event: { readonly data: string }) => void) | null
  postMessage(message: unknown): void
}

const scope = globalThis as unknown as WorkerScope

scope.onmessage = ({ data: text }) => {
  checkFile(text).then(
    (verdict) => scope.postMessage(verdict),
    () => scope.postMessage(undefined),
  )
}
