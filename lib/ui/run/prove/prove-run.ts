import { certifyRun } from '../../../client/certify.ts'
import { createChainClient } from '../../../client/chain.ts'
import type { Verdict } from '../../../engine/proof/check.ts'
import type { RunToCertify } from '../../../engine/proof/collect.ts'
import { encodeParticles } from '../../../engine/proof/compute.ts'
import { Refusal } from '../../../engine/proof/refusal.ts'
import type { Source } from '../../../engine/proof/sources.ts'
import type { Provenance } from '../../../entities/execution/run-on-chain.ts'
import type { Run } from '../../../views/run.ts'
import { executeRun, type RunRequest } from '../requests.ts'

/** What a proof found; `text` is the certificate where one was made. */
export interface Proof extends Verdict {
  readonly text?: string
  /** Sources that gave no header. */
  readonly silent?: readonly string[]
}

/**
 * Certifies a run in this page and checks the certificate in a worker.
 *
 * @param provenance Undefined where the site's node has forgotten the block: the contracts are then those of a new run.
 * @param shown What the page shows; else the run is computed.
 */
export async function proveRun(
  request: RunRequest,
  block: RunToCertify['ranAt'],
  provenance: Provenance | undefined,
  shown: Extract<Run, { state: 'particles' }> | undefined,
  sources: readonly Source[],
): Promise<Proof> {
  try {
    const contracts = provenance ?? (await newestProvenance(request))
    const { text, silent } = await certifyRun(
      createChainClient('/chain'),
      {
        registry: contracts.registry,
        runner: contracts.runner,
        connector: request.connector,
        count: request.count,
        starts: request.dynamicRi,
        ranAt: block,
        shown: shown && { result: 'particles', answer: answerOf(shown) },
      },
      sources,
    )
    return { ...(await checkedInWorker(text)), text, silent }
  } catch (error) {
    if (error instanceof Refusal) {
      return {
        verdict: error.refuted ? 'refuted' : 'undecided',
        code: error.code,
        sentence: error.message,
      }
    }
    const why = error instanceof Error ? error.message.slice(0, 200) : 'unknown reason'
    return { verdict: 'undecided', code: 'failed', sentence: `It could not be proven here: ${why}.` }
  }
}

async function newestProvenance(request: RunRequest): Promise<Provenance> {
  const run = await executeRun({ ...request, count: 1 }, undefined, AbortSignal.timeout(60_000))
  if ('provenance' in run && run.state !== 'unknown') return run.provenance
  throw new Refusal('no_source', 'This site does not say where its registry is.', false)
}

function answerOf({ streams }: Extract<Run, { state: 'particles' }>): Uint8Array {
  return encodeParticles(streams.map(({ path, data }) => ({ path, data: Uint32Array.from(data) })))
}

const TIMEOUT_MS = 60_000

function checkedInWorker(text: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { name: 'proof' })
    const done = (act: () => void) => {
      clearTimeout(timer)
      worker.terminate()
      act()
    }
    const timer = setTimeout(() => done(() => reject(new Error('the check took too long'))), TIMEOUT_MS)
    worker.onmessage = ({ data }: MessageEvent<Verdict | undefined>) =>
      done(() => (data ? resolve(data) : reject(new Error('the check failed'))))
    worker.onerror = () => done(() => reject(new Error('the check did not start')))
    worker.postMessage(text)
  })
}
