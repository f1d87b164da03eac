import { ask } from '#lib/browser/requests.ts'
import type {
  SaveRequest,
  SharedDocumentAnswer,
  SharedDraftAnswer,
  SharedDraftsAnswer,
  ShareRequest,
  VersionAnswer,
  VersionsAnswer,
  WorkspaceAnswer,
  WorkspacesAnswer,
  WorkspaceWithDocumentAnswer,
} from '#lib/features/workspaces/index.ts'
import type { StudioDocument } from '../document/types.ts'
import { readDocument } from './read-stored.ts'

/** A workspace as the server lists it. */
export interface Remote {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly updatedAtMs: number
  readonly deletedAtMs: number | null
}

export interface Head {
  readonly name: string
  readonly revision: number
  readonly document: StudioDocument
}

export type Version = VersionsAnswer['versions'][number]

/** The document was written by a newer version of this page. */
export class TooNew extends Error {
  override readonly name = 'TooNew'
}

/** The workspaces of an account on the server. Every method throws Refusal or NoAnswer. */
export interface WorkspaceServer {
  list(): Promise<readonly Remote[]>
  /** @throws TooNew */
  read(id: string): Promise<Head>
  /** @throws Refusal 409 when `revision` is not the one the server has. */
  save(id: string, work: { revision: number; name: string; document: StudioDocument }): Promise<Remote>
  remove(id: string, forGood?: boolean): Promise<void>
  restore(id: string): Promise<void>
  versions(id: string): Promise<readonly Version[]>
  /** @throws TooNew */
  version(id: string, revision: number): Promise<StudioDocument>
  /** Stores a copy at an address. Every client with the address can read it. */
  share(name: string, document: StudioDocument): Promise<SharedDraft>
  /** Newest first. */
  shared(): Promise<readonly SharedDraft[]>
  revoke(id: string): Promise<void>
}

/** A link to a stored copy. */
export interface SharedDraft {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
}

/** A save that arrives after the timeout is recognised by `sent`. */
const TIMEOUT_MS = 20_000

/** @param account An address. The server refuses requests of another account's session. */
export function workspaceServer(account: string): WorkspaceServer {
  const base = `/studio/api/workspaces/${account}`
  const sharedBase = `/studio/api/shared-drafts/${account}`
  return {
    async list() {
      const { workspaces } = (await withTimeout('GET', base)) as WorkspacesAnswer
      return workspaces.map(remoteOf)
    },
    async read(id) {
      const { name, revision, document } = (await withTimeout(
        'GET',
        `${base}/${id}`,
      )) as WorkspaceWithDocumentAnswer
      return { name, revision, document: known(document) }
    },
    async save(id, work) {
      const body = { ...work, document: wireOf(work.document) } as unknown as SaveRequest
      return remoteOf((await withTimeout('PUT', `${base}/${id}`, body)) as WorkspaceAnswer)
    },
    async remove(id, forGood = false) {
      await withTimeout('DELETE', `${base}/${id}${forGood ? '?for_good=true' : ''}`)
    },
    async restore(id) {
      await withTimeout('POST', `${base}/${id}/restore`)
    },
    async versions(id) {
      return ((await withTimeout('GET', `${base}/${id}/versions`)) as VersionsAnswer).versions
    },
    async version(id, revision) {
      const answer = (await withTimeout('GET', `${base}/${id}/versions/${revision}`)) as VersionAnswer
      return known(answer.document)
    },
    async share(name, document) {
      const body = { name, document: wireOf(document) } as unknown as ShareRequest
      return sharedOf((await withTimeout('POST', sharedBase, body)) as SharedDraftAnswer)
    },
    async shared() {
      return ((await withTimeout('GET', sharedBase)) as SharedDraftsAnswer).shared.map(sharedOf)
    },
    async revoke(id) {
      await withTimeout('DELETE', `${sharedBase}/${id}`)
    },
  }
}

/** Reads a shared copy; its address is the only credential. @throws Refusal, NoAnswer, TooNew */
export async function readSharedDraft(id: string): Promise<{ name: string; document: StudioDocument }> {
  const answer = (await withTimeout(
    'GET',
    `/studio/api/shared/${encodeURIComponent(id)}`,
  )) as SharedDocumentAnswer
  return { name: answer.name, document: known(answer.document) }
}

function sharedOf({ id, name, created_at }: SharedDraftAnswer): SharedDraft {
  return { id, name, createdAtMs: Date.parse(created_at) }
}

function wireOf({ entries, places, worlds }: StudioDocument) {
  return { entries, places, ...(worlds && { worlds }) }
}

async function withTimeout(method: string, path: string, json?: unknown): Promise<unknown> {
  return ask(method, path, json, AbortSignal.timeout(TIMEOUT_MS))
}

function known(from: unknown): StudioDocument {
  const document = readDocument(from)
  if (document === undefined) throw new TooNew('A newer version of the studio wrote this')
  return document
}

function remoteOf({ id, name, revision, updated_at, deleted_at }: WorkspaceAnswer): Remote {
  return {
    id,
    name,
    revision,
    updatedAtMs: Date.parse(updated_at),
    deletedAtMs: deleted_at === null ? null : Date.parse(deleted_at),
  }
}
