import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import { UINT32 } from '#lib/browser/typed-number.ts'
import type { LibraryEntity, LibrarySource } from '#lib/studio/document/parts.ts'
import { schemaProblems } from '#lib/studio/document/schema.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import type { ConnectorEntry, Entry, StudioDocument } from '#lib/studio/document/types.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import type { Runs } from '#lib/studio/runs/runs.ts'
import { dataBlock } from '../describe.ts'
import type { ToolSpec } from '../protocol/messages.ts'

/** Something published, as a search names it. */
export interface PublishedHit {
  readonly kind: string
  readonly name: string
  /** Title of a piece where it is not its name. */
  readonly title?: string
  readonly detail: string
}

/** Question before a change that has to be confirmed, in the studio's words alone. */
export interface Question {
  readonly sentence: string
  /** The button that allows it. */
  readonly action: string
}

/**
 * All that tools can reach: the document, its runs, what is published, and the person. Neither the key nor the network is
 * among it.
 */
export interface ToolContext {
  readonly store: Pick<StudioStore, 'getState'>
  readonly library: LibrarySource
  readonly runs: Pick<Runs, 'aside' | 'confirm'>
  /** Changes the document; all changes of one answer are one step of undo. */
  edit(command: (document: StudioDocument) => StudioDocument): void
  /** Brings an entry to the front. */
  open(entry: Entry): void
  /** Opens the plan of a publication, which the person signs. */
  openPlan(entry: Entry): void
  play(on: boolean): void
  search(words: string, signal: AbortSignal): Promise<readonly PublishedHit[]>
  /** A small picture of a run, as a PNG in base64; absent where the model takes none. */
  readonly picture?: ((streams: readonly Stream[]) => Promise<string | undefined>) | undefined
  /** @returns whether the person allowed it. */
  ask(question: Question): Promise<boolean>
  readonly signal: AbortSignal
}

/** Result of a tool, for the model. */
export type ToolOutput = string | { readonly text: string; readonly picture?: string | undefined }

export interface Tool {
  readonly spec: ToolSpec
  /** @throws {ToolError} for what the model can mend. */
  run(input: unknown, context: ToolContext): Promise<ToolOutput>
}

/** Why a tool did nothing, in a sentence for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

export function tool<S extends z.ZodMiniType>(
  name: string,
  description: string,
  schema: S,
  run: (input: z.output<S>, context: ToolContext) => ToolOutput | Promise<ToolOutput>,
): Tool {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema)
  return {
    spec: { name, description, schema: json },
    async run(input, context) {
      const parsed = schema.safeParse(input)
      if (!parsed.success)
        throw new ToolError(`The input is not right: ${schemaProblems(parsed.error).join('; ')}.`)
      return run(parsed.data, context)
    },
  }
}

export const KIND = z.enum(['connector', 'transformation', 'condition'])

/** A text of the input, described for the model. */
export function text(about: string, most = 128) {
  return z.string().check(z.minLength(1), z.maxLength(most), z.describe(about))
}

/** A whole number of the input. */
export function whole(about: string, min: number, max: number) {
  return z.int().check(z.gte(min), z.lte(max), z.describe(about))
}

/** A uint32 of the input. */
export function number(about: string) {
  return whole(about, UINT32.min, UINT32.max)
}

export function entryNamed({ store }: Pick<ToolContext, 'store'>, kind: Entry['kind'], name: string): Entry {
  const { entries } = store.getState().document
  const entry = entries.find((each) => each.kind === kind && each.name === name)
  if (entry === undefined) {
    const names = entries.filter((each) => each.kind === kind).map((each) => each.name)
    throw new ToolError(
      `The document has no ${kind} of that name. It has: ${dataBlock('document', names.slice(0, 40))}.`,
    )
  }
  return entry
}

export function connectorNamed(context: Pick<ToolContext, 'store'>, name: string): ConnectorEntry {
  return entryNamed(context, 'connector', name) as ConnectorEntry
}

/** Reads names of the network; none where it does not answer. */
export async function readNames(
  { library }: Pick<ToolContext, 'library'>,
  names: Parameters<LibrarySource['read']>[0],
): Promise<readonly LibraryEntity[]> {
  return names.length === 0 ? [] : library.read(names.slice(0, 50)).catch(() => [])
}
