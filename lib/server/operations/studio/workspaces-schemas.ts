import { z } from 'zod'
import { addressInput } from '../chain/request-schemas.ts'

/*
 * Requests and responses for unpublished work. A document is validated only as far as the server uses it: the
 * page checks the rest when it reads it back, as it does with what its own browser stored.
 */

const MAX_ENTRIES = 2_000
const MAX_PLACES = 100_000
const MAX_WORLDS = 500
const MAX_NAME = 80

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected up to 64 letters, digits, - and _')
const revision = z.int().min(0).max(2_000_000_000)
const time = z.iso.datetime()

const workspaceName = z
  .string()
  .trim()
  .min(1, 'expected a name')
  .max(MAX_NAME, `expected at most ${MAX_NAME} characters`)
  .regex(/^\P{Cc}*$/u, 'expected no line breaks and other control characters')

const workDocument = z.strictObject({
  entries: z
    .array(
      z.looseObject({
        id: z.string().min(1).max(64),
        kind: z.string().max(32),
        name: z.string().max(1_000),
      }),
    )
    .max(MAX_ENTRIES, `expected at most ${MAX_ENTRIES} entries`),
  places: z.array(z.unknown()).max(MAX_PLACES),
  worlds: z.array(z.unknown()).max(MAX_WORLDS).optional(),
})

export const accountParams = z.object({ account: addressInput })
export const workspaceParams = z.object({ account: addressInput, id })
export const versionParams = z.object({
  account: addressInput,
  id,
  revision: z.string().regex(/^[1-9]\d{0,8}$/, 'expected a revision'),
})

/** `for_good=true` makes a deletion permanent. */
export const deletionQuery = z.object({ for_good: z.enum(['true', 'false']).optional() })

export const saveRequest = z.strictObject({ revision, name: workspaceName, document: workDocument })

export const workspaceAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  revision,
  created_at: time,
  updated_at: time,
  deleted_at: time.nullable(),
})

export const workspacesAnswer = z.strictObject({
  workspaces: z.array(workspaceAnswer),
  used_bytes: z.int(),
})

export const workspaceWithDocumentAnswer = workspaceAnswer.extend({ document: workDocument })

export const versionsAnswer = z.strictObject({
  versions: z.array(
    z.strictObject({
      revision,
      saved_at: time,
      entries: z.int(),
      /** Since the previous retained version; the first dozen. */
      changes: z.array(
        z.strictObject({
          change: z.enum(['added', 'removed', 'renamed', 'changed']),
          kind: z.string(),
          name: z.string(),
          name_before: z.string().nullable(),
        }),
      ),
      /** All of them. */
      changed: z.int(),
    }),
  ),
})

export const versionAnswer = z.strictObject({ document: workDocument })

export const shareRequest = z.strictObject({ name: workspaceName, document: workDocument })

/** 128 bits as text. */
export const sharedDraftId = z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'expected the address of a link')
export const sharedDraftParams = z.object({ id: sharedDraftId })
export const ownSharedDraftParams = z.object({ account: addressInput, id: sharedDraftId })

export const sharedDraftAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: time,
  bytes: z.int(),
})

export const sharedDraftsAnswer = z.strictObject({ shared: z.array(sharedDraftAnswer) })

export const sharedDocumentAnswer = z.strictObject({
  name: z.string(),
  created_at: time,
  document: workDocument,
})

export type ShareRequest = z.input<typeof shareRequest>
export type SharedDraftAnswer = z.output<typeof sharedDraftAnswer>
export type SharedDraftsAnswer = z.output<typeof sharedDraftsAnswer>
export type SharedDocumentAnswer = z.output<typeof sharedDocumentAnswer>
export type SaveRequest = z.input<typeof saveRequest>
export type WorkspaceAnswer = z.output<typeof workspaceAnswer>
export type WorkspacesAnswer = z.output<typeof workspacesAnswer>
export type WorkspaceWithDocumentAnswer = z.output<typeof workspaceWithDocumentAnswer>
export type VersionsAnswer = z.output<typeof versionsAnswer>
export type VersionAnswer = z.output<typeof versionAnswer>
