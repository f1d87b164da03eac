/** Where every bundle says what its World is. */
export const MANIFEST_PATH = 'world-manifest.json'

export interface ChosenFile {
  /** From the root of the bundle. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** What somebody chose to upload. Nothing of it has left the browser. */
export interface Chosen {
  /** Of the ZIP or the folder. */
  readonly name: string
  readonly kind: 'zip' | 'folder'
  /** By path; empty for a ZIP that cannot be read here. */
  readonly files: readonly ChosenFile[]
  /** Files of the folder that stay out, because they are no part of any World. */
  readonly leftOut: readonly string[]
  /** The text of its manifest, if it has one. */
  readonly manifest: string | undefined
  /**
   * The bundle as a ZIP.
   *
   * @param manifest Takes the place of its own.
   * @param onShare Hears how far it is, 0 to 1.
   */
  pack(manifest: string | undefined, onShare: (share: number) => void): Promise<Blob>
}
