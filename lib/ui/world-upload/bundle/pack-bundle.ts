import { linesOf } from '../../world/owner/in-words.ts'
import type { Chosen } from './chosen.ts'
import { NotABundle } from './from-input.ts'

/** As the server has it, in bytes; asked here to save sending what will be refused. */
const MOST_BYTES = 25 * 1024 * 1024

/**
 * What was chosen as the ZIP that is sent.
 *
 * @param manifest Takes the place of its own.
 * @param onShare Hears how far it is, 0 to 1.
 * @throws NotABundle when it is larger than a bundle may be; DOMException for files that cannot be read.
 */
export async function packBundle(
  chosen: Chosen,
  manifest: string | undefined,
  onShare: (share: number) => void,
): Promise<Blob> {
  const bundle = await chosen.pack(manifest, onShare)
  if (bundle.size <= MOST_BYTES) return bundle
  const mib = (bundle.size / 1024 / 1024).toFixed(1)
  throw new NotABundle(`The ZIP has ${mib} MiB: it may have 25 MiB.`)
}

/** Why nothing came of what was chosen, each line a sentence of its own. */
export function linesOfChoice(error: unknown): readonly string[] {
  if (error instanceof NotABundle) return [error.message]
  return error instanceof DOMException ? [UNREADABLE] : linesOf(error)
}

const UNREADABLE = 'The browser could not read the files: they may have changed since. Choose them again.'
