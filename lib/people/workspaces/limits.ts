/** Workspaces of one account, restorable ones included. */
export const MAX_WORKSPACES = 100

/** One document, as compact JSON. */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

/** All versions of an account's workspaces. */
export const MAX_ACCOUNT_BYTES = 64 * 1024 * 1024

/** Versions of one workspace. */
export const MAX_VERSIONS = 100

/** How long a deleted workspace can be restored. */
export const DELETED_RETENTION_MS = 30 * 24 * 60 * 60 * 1000

/** Links of one account to stored documents. */
export const MAX_SHARED_DRAFTS = 100

/** One shared document, as compact JSON. */
export const MAX_SHARED_DOCUMENT_BYTES = 512 * 1024

/** All shared documents of an account. */
export const MAX_SHARED_BYTES = 8 * 1024 * 1024

export function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')
}
