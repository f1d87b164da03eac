import * as z from 'zod/mini'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { setComposite, unbindSlot } from '#lib/studio/document/commands/connector.ts'
import { removeEntry } from '#lib/studio/document/commands/entries.ts'
import {
  connectorNamed,
  entryNamed,
  KIND,
  number,
  type Question,
  type ToolContext,
  ToolError,
  text,
  tool,
  whole,
} from './tool.ts'

/*
 * Tools that ask the person first, whatever the model says. The question is made of facts of the document; nothing that a
 * model writes is part of it. Names of a document that was shared may be any text.
 */

export const CONFIRM_TOOLS = [
  tool(
    'remove',
    'Removes an entry of the document. The person is asked first.',
    z.strictObject({ kind: KIND, name: text('Its name.') }),
    async ({ kind, name }, context) => {
      const { id: entryId } = entryNamed(context, kind, name)
      return confirm(
        context,
        { sentence: `Remove the ${kindWord(kind)} ${quoted(name)} from your work?`, action: 'Remove' },
        () => {
          context.edit((document) => removeEntry(document, { entryId }))
          return 'It is removed.'
        },
      )
    },
  ),

  tool(
    'disconnect',
    'Takes the connector that a voice selects from away, or the one that fills a slot. The person is asked first.',
    z.strictObject({
      connector: text('Its name.'),
      voice: whole('Index of the voice, from 0.', 0, 10_000),
      slot: z.optional(number('Number of the slot; without it, the selected connector.')),
    }),
    async ({ connector, voice, slot }, context) => {
      const entry = connectorNamed(context, connector)
      const dimension = entry.dimensions[voice]
      const other =
        slot === undefined
          ? dimension?.composite
          : dimension?.bindings.find((each) => each.slot === slot)?.name
      if (dimension === undefined || other === undefined || other === '')
        throw new ToolError('Nothing is connected there.')
      const at = { entryId: entry.id, dimensionId: dimension.id }
      return confirm(
        context,
        { sentence: `Disconnect ${quoted(other)} from ${quoted(connector)}?`, action: 'Disconnect' },
        () => {
          context.edit((document) =>
            slot === undefined
              ? setComposite(document, { ...at, name: '' })
              : unbindSlot(document, { ...at, slot }),
          )
          return 'It is disconnected.'
        },
      )
    },
  ),

  tool(
    'publish',
    'Opens the card of a publication, in which the person sees what it costs and signs. The person is asked first; nothing is published by you.',
    z.strictObject({ kind: KIND, name: text('Its name.') }),
    async ({ kind, name }, context) => {
      const entry = entryNamed(context, kind, name)
      return confirm(
        context,
        {
          sentence: `Open the card to publish the ${kindWord(kind)} ${quoted(name)}? Nothing is published before you sign there.`,
          action: 'Open the card',
        },
        () => {
          context.openPlan(entry)
          return 'The card is open. Nothing is published yet: the person goes on there.'
        },
      )
    },
  ),
]

async function confirm(context: ToolContext, question: Question, act: () => string): Promise<string> {
  const isAllowed = await context.ask(question)
  context.signal.throwIfAborted()
  return isAllowed ? act() : 'The person said no. Do not ask again unless they tell you to.'
}

const MAX_QUOTED = 40

/** A name in quotation marks. One that nothing can be published under is cut, without what hides or reorders text. */
function quoted(name: string): string {
  if (isEntityName(name)) return `“${name}”`
  const plain = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}“”"]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const excerpt = plain.length <= MAX_QUOTED ? plain : `${plain.slice(0, MAX_QUOTED - 1)}…`
  return `“${excerpt}” (no valid name)`
}
