import { MAX_ZIP_MIB } from '#lib/protocol/world-manifest.ts'

const MIB = 1024 * 1024

/** Limits of a bundle, in bytes by default. */
export const BUNDLE_LIMITS = {
  upload: MAX_ZIP_MIB * MIB,
  extracted: 100 * MIB,
  files: 1000,
  /** Files, directories and what archivers add. */
  zipEntries: 4000,
  /** Largest ratio of a file to its compressed form, and the size from which it is checked. */
  ratio: 200,
  ratioFrom: MIB,
  /** Largest ratio of all files together, and the size from which it is checked. */
  wholeRatio: 24,
  wholeRatioFrom: 16 * MIB,
  manifest: 256 * 1024,
  preview: 8 * MIB,
  /** A larger preview is accepted with a warning. */
  lightPreview: 2 * MIB,
  /** One HTML page, and all of them: pages are parsed. */
  page: 2 * MIB,
  pages: 4 * MIB,
  /** Opening angle brackets in all pages: what parsing them costs goes by tags, not by bytes. */
  markup: 60_000,
  /** Scripts and style sheets up to this size are read for advice, until that is enough. */
  advisedText: MIB,
  advisedTexts: 8 * MIB,
  /** Inline scripts that are lifted into files. */
  liftedFiles: 200,
  pathBytes: 512,
  pathParts: 32,
  nameBytes: 255,
  /** Sentences shown of each, so that an answer stays readable. */
  problems: 50,
  warnings: 100,
} as const

/** The most bytes that the files of an accepted ZIP of this size have together. */
export function mostExtracted(zipBytes: number): number {
  const { extracted, wholeRatio, wholeRatioFrom } = BUNDLE_LIMITS
  return Math.min(extracted, Math.max(wholeRatioFrom, zipBytes * wholeRatio))
}
