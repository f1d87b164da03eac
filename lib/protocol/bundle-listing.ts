/** A file of a bundle as its listing names it. */
export interface ListedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
}

/** Returns the listing of a bundle, whose SHA-256 is the bundle's hash. @param files Sorted by the bytes of the path. */
export function bundleListing(files: readonly ListedFile[]): string {
  return files.map(({ path, size, hash }) => `${path}\0${size}\0${hash}\n`).join('')
}
