import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import { normalise } from './normalise.ts'
import { documentSchema, schemaProblems, viewSchema } from './schema.ts'
import type { NewId, StudioDocument, StudioView } from './types.ts'

/** Longest file that is read, in UTF-16 units. */
export const MAX_FILE_LENGTH = 16 * 1024 * 1024

const fileSchema = z.strictObject({
  weft: z.literal('studio'),
  version: z.literal(1),
  document: documentSchema,
  view: viewSchema,
})

export interface Opened {
  readonly document: StudioDocument
  readonly view: StudioView
}

export type FileRead = ({ readonly ok: true } & Opened) | { readonly ok: false; readonly problems: string[] }

/** Serialises a document and its view as one file. */
export function writeFile({ document, view }: Opened): string {
  return `${JSON.stringify({ weft: 'studio', version: 1, document, view }, null, 2)}\n`
}

/**
 * Parses and validates a file.
 *
 * @returns the document and view, or the problems as sentences.
 */
export function readFile(text: string, newId: NewId): FileRead {
  if (text.length > MAX_FILE_LENGTH) return refused('The file is larger than 16 MiB.')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refused('This is not a file of the studio: it is not JSON.')
  }
  if (typeof json !== 'object' || json === null || !('weft' in json) || json.weft !== 'studio') {
    return refused('This is not a file of the studio.')
  }
  if ('version' in json && typeof json.version === 'number' && json.version > 1) {
    return refused('The file was written by a newer version of the studio. Reload the page and try again.')
  }
  const read = fileSchema.safeParse(json)
  if (!read.success) return { ok: false, problems: schemaProblems(read.error) }
  return { ok: true, ...normalise(read.data.document, read.data.view, newId) }
}

function refused(problem: string): FileRead {
  return { ok: false, problems: [problem] }
}
