import type { WorldManifest } from './manifest.ts'

/** One file as it will be served. */
export interface BundleFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Path of the listing of a stored bundle. It is never served: no file of a bundle has a colon in its name, and no media
 * type is known for it.
 */
export const LISTING_PATH = 'bundle:listing'

/** Path of a stored page as it was uploaded; never served either. */
export function uploadedPath(page: string): string {
  return `bundle:${page}~`
}

/** A valid bundle, with the metadata of its World and the content of its files. */
export interface CheckedBundle {
  readonly manifest: WorldManifest
  /** SHA-256 over the listing of the files as uploaded, so that zipping the same files again yields the same hash. */
  readonly bundleHash: string
  /** SHA-256 over the bytes of `world-manifest.json`. */
  readonly manifestHash: string
  readonly files: readonly BundleFile[]
  /** Files stored to return the bundle as uploaded: the listing that the hash covers, and pages before changes. */
  readonly asUploaded: readonly BundleFile[]
  readonly warnings: readonly string[]
}

export type BundleOutcome =
  | { readonly status: 'accepted'; readonly bundle: CheckedBundle }
  | { readonly status: 'refused'; readonly problems: readonly string[] }

export function refused(problems: readonly string[]): BundleOutcome {
  return { status: 'refused', problems }
}

/** Checks bundles away from the thread that answers requests. */
export interface BundleChecker {
  /**
   * @param zip At most `BUNDLE_LIMITS.upload` bytes.
   * @throws Failure('invalid_request') with everything that is wrong, Failure('overloaded').
   */
  check(zip: Uint8Array, signal?: AbortSignal): Promise<CheckedBundle>
  close(): Promise<void>
}
