/**
 * Bytes by their hash, shared by every instance of the site. Knows nothing of Worlds: what may be deleted is decided
 * by `collect-garbage.ts`, from the `blobs` table.
 */
export interface BlobStore {
  /**
   * Stores `bytes` under their hash. Storing what is already there changes nothing.
   *
   * @param hash SHA-256 of the bytes, 64 lower-case hex digits; not computed again here.
   * @throws Failure('storage_unavailable')
   */
  put(hash: string, bytes: Uint8Array): Promise<void>
  /**
   * @param range From `start` up to, not including, `end`; an `end` beyond the blob means its end.
   * @returns undefined when there is no such blob.
   * @throws Failure('storage_unavailable')
   */
  read(hash: string, range?: ByteRange): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Unknown hashes are fine. @throws Failure('storage_unavailable') */
  delete(hashes: readonly string[]): Promise<void>
  /**
   * Returns a presigned URL to PUT the blob `key` with exactly this length and `Content-Type`. Undefined for a
   * store without URLs.
   */
  readonly signUpload?: (key: string, upload: SignedUpload) => Promise<string>
  close(): Promise<void>
}

/** Request that a signed address accepts. */
export interface SignedUpload {
  readonly bytes: number
  readonly type: string
  /** For which a PUT may begin. */
  readonly seconds: number
}

/** `0 <= start <= end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}
