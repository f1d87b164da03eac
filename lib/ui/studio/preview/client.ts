import type { ArtifactsAnswer, ArtifactsRequest } from '../../../api/studio/artifacts-schemas.ts'
import type {
  CompileAnswer,
  CompileRequest,
  ExplainAnswer,
  ExplainRequest,
  PreviewAnswer,
  PreviewRequest,
  TryAnswer,
  TryRequest,
} from '../../../api/studio/preview-schemas.ts'

export type { CompileAnswer, ExplainAnswer, PreviewAnswer, TryAnswer }

/** The server did not answer what was asked. */
export class PreviewFailed extends Error {
  override readonly name = 'PreviewFailed'
  /** 0 when the server could not be reached. */
  readonly status: number
  /** When to try again; undefined when trying again is no use. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** Runs a connector of an unsaved document. */
export const requestPreview = (body: PreviewRequest, signal?: AbortSignal): Promise<PreviewAnswer> =>
  post('/studio/api/preview', body, signal)

/** Why a particle has its value. */
export const requestExplanation = (body: ExplainRequest, signal?: AbortSignal): Promise<ExplainAnswer> =>
  post('/studio/api/explain', body, signal)

/** What the compiler says about a body. */
export const requestCompile = (body: CompileRequest, signal?: AbortSignal): Promise<CompileAnswer> =>
  post('/studio/api/compile', body, signal)

/** What a body makes of x. */
export const requestTry = (body: TryRequest, signal?: AbortSignal): Promise<TryAnswer> =>
  post('/studio/api/try', body, signal)

/** What the network knows of some names, for running it here. An account reads its own drafts as well. */
export const requestArtifacts = (
  reader: 'account' | 'visitor',
  body: ArtifactsRequest,
  signal?: AbortSignal,
): Promise<ArtifactsAnswer> =>
  post(`/studio/api/${reader === 'account' ? 'own-artifacts' : 'artifacts'}`, body, signal)

/** Lets the server count that this browser made other particles than it did. */
export async function tellPreviewDifference(): Promise<void> {
  try {
    await fetch('/studio/api/preview-differences', { method: 'POST', keepalive: true })
  } catch {
    // It is only counted.
  }
}

/** @throws PreviewFailed, or the reason of `signal`. */
async function post<T>(path: string, body: unknown, signal: AbortSignal | undefined): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
    if (response.ok) return (await response.json()) as T
  } catch (cause) {
    signal?.throwIfAborted()
    throw new PreviewFailed(0, 'The server cannot be reached', 5000, { cause })
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined
  throw new PreviewFailed(response.status, await messageOf(response), retryAfterMs)
}

async function messageOf(response: Response): Promise<string> {
  const said = (await response.json().catch(() => undefined)) as { message?: unknown } | undefined
  return typeof said?.message === 'string' ? said.message : `The server answered ${response.status}`
}
