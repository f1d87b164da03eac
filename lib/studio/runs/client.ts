import { ask } from '#lib/browser/requests.ts'
import type { Reference } from '#lib/protocol/references.ts'
import type { ArtifactsAnswer, ArtifactsRequest } from '#lib/server/operations/studio/artifacts.ts'
import type { EntitiesAnswer } from '#lib/server/operations/studio/entities.ts'
import type {
  CompileAnswer,
  CompileRequest,
  TryAnswer,
  TryRequest,
} from '#lib/server/operations/studio/preview-schemas.ts'

export type { CompileAnswer, TryAnswer }

/** Compiles a body. */
export function requestCompile(body: CompileRequest, signal?: AbortSignal): Promise<CompileAnswer> {
  return post('/studio/api/compile', body, signal)
}

/** Runs a body on x. */
export function requestTry(body: TryRequest, signal?: AbortSignal): Promise<TryAnswer> {
  return post('/studio/api/try', body, signal)
}

/** Fetches the artifacts of names. An account reads its own drafts too. */
export function requestArtifacts(body: ArtifactsRequest, signal?: AbortSignal): Promise<ArtifactsAnswer> {
  return post('/studio/api/artifacts', body, signal)
}

/** Reads entities by name; free names are left out. */
export function requestEntities(
  body: { names: Reference[]; as_published?: boolean },
  signal?: AbortSignal,
): Promise<EntitiesAnswer> {
  return post('/studio/api/entities', body, signal)
}

/** @throws Refusal, NoAnswer, or the reason of `signal`. */
async function post<T>(path: string, body: unknown, signal: AbortSignal | undefined): Promise<T> {
  return (await ask('POST', path, body, signal)) as T
}
