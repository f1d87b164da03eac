import * as z from 'zod/mini'
import { setComposite, unbindSlot } from '../../document/commands/connector.ts'
import { removeEntry } from '../../document/commands/entries.ts'
import {
  connectorNamed,
  entryNamed,
  type Hands,
  KIND,
  number,
  type Question,
  ToolError,
  text,
  tool,
  whole,
} from './tool.ts'

/*
 * Tools that ask the person first, whatever the model says. The question is made of facts of the document; nothing that a
 * model writes is part of it.
 */

export const ASKING = [
  tool(
    'remove',
    'Removes an entry of the document. The person is asked first.',
    z.strictObject({ kind: KIND, name: text('Its name.') }),
    async ({ kind, name }, hands) => {
      const { id: entryId } = entryNamed(hands, kind, name)
      return allowed(
        hands,
        { sentence: `Remove the ${kind} “${name}” from your work?`, action: 'Remove' },
        () => {
          hands.edit((document) => removeEntry(document, { entryId }))
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
    async ({ connector, voice, slot }, hands) => {
      const entry = connectorNamed(hands, connector)
      const dimension = entry.dimensions[voice]
      const other =
        slot === undefined
          ? dimension?.composite
          : dimension?.bindings.find((each) => each.slot === slot)?.name
      if (dimension === undefined || other === undefined || other === '')
        throw new ToolError('Nothing is connected there.')
      const at = { entryId: entry.id, dimensionId: dimension.id }
      return allowed(
        hands,
        { sentence: `Disconnect “${other}” from “${connector}”?`, action: 'Disconnect' },
        () => {
          hands.edit((document) =>
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
    'Opens the plan of a publication, in which the person sees what it costs and signs. The person is asked first; nothing is published by you.',
    z.strictObject({ kind: KIND, name: text('Its name.') }),
    async ({ kind, name }, hands) => {
      const entry = entryNamed(hands, kind, name)
      return allowed(
        hands,
        {
          sentence: `Open the plan to publish the ${kind} “${name}”? Nothing is published before you sign there.`,
          action: 'Open the plan',
        },
        () => {
          hands.openPlan(entry)
          return 'The plan is open. Nothing is published yet: the person goes on there.'
        },
      )
    },
  ),
]

async function allowed(hands: Hands, question: Question, then: () => string): Promise<string> {
  const isAllowed = await hands.ask(question)
  hands.signal.throwIfAborted()
  return isAllowed ? then() : 'The person said no. Do not ask again unless they tell you to.'
}
