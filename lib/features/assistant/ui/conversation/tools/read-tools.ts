import * as z from 'zod/mini'
import { Refusal } from '#lib/browser/requests.ts'
import type { PreviewAnswer, PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import { entriesBelow, referencesOf } from '#lib/studio/document/node-ref.ts'
import { problems } from '#lib/studio/document/problems.ts'
import { type ConnectorEntry, DEFAULT_STEPS, type Entry } from '#lib/studio/document/types.ts'
import { PHRASE_BOOK } from '#lib/studio/library/phrase-book.ts'
import { goodRunOf } from '#lib/studio/runs/run.ts'
import { sliceOf } from '#lib/studio/runs/slice.ts'
import { dataBlock, documentData, publishedData } from '../describe.ts'
import { runData } from '../run-data.ts'
import {
  connectorNamed,
  KIND,
  readNames,
  type ToolContext,
  ToolError,
  type ToolOutput,
  text,
  tool,
  whole,
} from './tool.ts'

const MAX_STEPS = 4096
const MAX_PROBLEMS = 12

export const READ_TOOLS = [
  tool(
    'read_document',
    'Reads the whole document: every entry with its voices, bodies and sound.',
    z.strictObject({}),
    (_, { store }) => dataBlock('document', documentData(store.getState())),
  ),

  tool(
    'result',
    'Runs a connector and tells what it plays: notes, rhythm, range, repeats, changes, entries of voices; or why it does not run, with the compiler’s errors. Listen to what you made before you say that it is done.',
    z.strictObject({
      connector: text('Name of a connector of the document.'),
      steps: z.optional(whole('By default as many as the piece has.', 1, MAX_STEPS)),
      picture: z.optional(
        z.boolean().check(z.describe('Also show a small picture, where you can see pictures.')),
      ),
    }),
    async ({ connector, steps, picture = false }, context) =>
      result(context, connectorNamed(context, connector), steps, picture),
  ),

  tool(
    'phrase_book',
    'Lists the transformations that are there from the start, each with its arguments and what it does.',
    z.strictObject({ words: z.optional(text('Only those about these words.')) }),
    ({ words = '' }) => {
      const parts = words.toLowerCase().split(/\W+/).filter(Boolean)
      const matching = PHRASE_BOOK.filter(({ name, synonyms, sentence }) =>
        parts.some((part) => `${name} ${synonyms} ${sentence}`.toLowerCase().includes(part)),
      )
      return JSON.stringify(
        (matching.length > 0 ? matching : PHRASE_BOOK).map(({ name, sentence, args }) => ({
          name,
          sentence,
          args: args.map((each) => `${each.name}, e.g. ${each.value}`),
        })),
      )
    },
  ),

  tool(
    'search_published',
    'Searches what others published. The words are sent to this site.',
    z.strictObject({ words: text('A name, or what it is about.', 100) }),
    async ({ words }, { search, signal }) => dataBlock('published', await search(words, signal)),
  ),

  tool(
    'read_published',
    'Reads something published: how it is made, and its author’s words.',
    z.strictObject({ kind: KIND, name: text('Its exact name.') }),
    async ({ kind, name }, context) => {
      const [entity] = await readNames(context, [{ kind, name }])
      if (entity === undefined) throw new ToolError(`No ${kind} of that name is found on the network.`)
      return dataBlock('published', publishedData(entity))
    },
  ),
]

async function result(
  context: ToolContext,
  entry: ConnectorEntry,
  steps: number | undefined,
  picture: boolean,
): Promise<ToolOutput> {
  const slice = sliceOf(context.store.getState().document, entry)
  if (slice === undefined)
    throw new ToolError(`${await problemsText(context, entry)} A number is not finished.`)
  const count = steps ?? Math.min(MAX_STEPS, entry.steps ?? DEFAULT_STEPS)
  const question: PreviewRequest = { ...slice, particles_count: count, dynamic_ri: {} } as never
  const answer =
    (await context.runs.aside(question, context.signal).catch(() => undefined)) ??
    (await runOnSite(context, question))
  const good = goodRunOf({ question, answer })
  if (good === undefined) throw new ToolError(`${await problemsText(context, entry)} ${reasonOf(answer)}`)
  const text = dataBlock('result', runData(good.streams, entry.sound ?? {}))
  if (!picture) return text
  const png = await context.picture?.(good.streams)
  return png === undefined ? `${text} No picture can be shown.` : { text, picture: png }
}

async function runOnSite({ runs, signal }: ToolContext, question: PreviewRequest): Promise<PreviewAnswer> {
  try {
    return await runs.confirm(question, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw new ToolError(
      error instanceof Refusal
        ? `The site refuses to run it: ${dataBlock('site', error.message)}`
        : 'It cannot be run now: the site does not answer.',
    )
  }
}

function reasonOf({ result: { outcome, ...rest }, bodies }: PreviewAnswer): string {
  const diagnostics = bodies.flatMap(({ kind, name, diagnostics: each }) =>
    each.map(({ line, message }) => ({ kind, name, line, message })),
  )
  return dataBlock(`run: ${outcome}`, { ...rest, ...(diagnostics.length > 0 && { diagnostics }) })
}

/** The problems of an entry and of what it is made of, as far as they can be found without a run. */
export async function problemsText(
  context: Pick<ToolContext, 'store' | 'library'>,
  entry: Entry,
): Promise<string> {
  const { document } = context.store.getState()
  const below = entriesBelow(document, entry)
  const own = new Set(document.entries.map(({ kind, name }) => `${kind}/${name}`))
  const outside = below.flatMap(referencesOf).filter(({ kind, name }) => !own.has(`${kind}/${name}`))
  await readNames(
    context,
    outside.map(({ kind, name }) => ({ kind, name })),
  )
  const ids = new Map(below.map(({ id, name }) => [id, name]))
  const open = problems(document, context.library).filter(({ at }) => ids.has(at.entryId))
  if (open.length === 0) return 'No problems are found.'
  const sentences = open
    .slice(0, MAX_PROBLEMS)
    .map(({ at, severity, sentence }) => ({ in: ids.get(at.entryId), severity, sentence }))
  return `Problems: ${dataBlock('document', sentences)}`
}
