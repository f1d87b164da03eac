import { useQuery } from '@tanstack/react-query'
import { useStudio } from '../common/context.tsx'
import { PHRASE_BOOK } from '../common/phrase-book.ts'
import { type CallRef, setArguments, setName } from '../document/commands/connector.ts'
import { addEntry, newCode } from '../document/commands/entries.ts'
import { refKey } from '../document/node-ref.ts'
import { MAX_ARGUMENT_FIELDS } from '../document/parts.ts'
import type { StudioStore } from '../document/store.ts'
import { type CodeEntry, newId, type StudioDocument } from '../document/types.ts'
import { requestArtifacts } from '../preview/client.ts'
import { argsOf, type Choice } from './choices.ts'

/** The content hashes of the phrases that this network has; undefined until they are known. */
export function usePublishedPhrases(): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery({
    queryKey: ['phrase-book'],
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const names = PHRASE_BOOK.map(({ name }) => ({ kind: 'transformation' as const, name }))
      const answer = await requestArtifacts('visitor', { names }, signal)
      return new Map(answer.names.map(({ name, content_hash: hash }) => [name, hash]))
    },
  })
  return data
}

/**
 * Puts a choice into a call or condition, with arguments that make sense, as one step of undo. A phrase that this network
 * does not have becomes an entry of the document.
 */
export function useChoose(
  at: CallRef,
  args: readonly string[],
  edit: StudioStore['edit'],
): (choice: Choice) => Promise<void> {
  const { parts, freeNames, announce } = useStudio()
  const published = usePublishedPhrases()

  const put = (name: string, next: readonly string[], entry?: CodeEntry) => {
    const command = (document: StudioDocument) => {
      const called = setArguments(setName(document, at, name), at, next)
      return entry === undefined ? called : addEntry(called, { entry })
    }
    // The letters that it was found by are a part of the step.
    edit('Choose transformation', command, { merge: `${refKey(at)}/name`, hold: true })
  }

  return async (choice) => {
    if (choice.from === 'new') {
      const entry = newCode('transformation', newId(), choice.name)
      if (entry.kind === 'connector') return
      put(choice.name, [args[0] || '1'], entry)
      announce(`${choice.name} is yours: open it to write what it does.`)
      return
    }
    if (choice.from !== 'phrase book') {
      const takes = argsOf(choice, parts) ?? 0
      const length = Math.min(takes, MAX_ARGUMENT_FIELDS)
      put(
        choice.name,
        Array.from({ length }, (_, index) => args[index] || '1'),
      )
      return
    }
    const { name, source, contentHash, args: known } = choice.phrase
    const values = known.map(({ value }) => String(value))
    if (published?.get(name) === contentHash) return put(name, values)
    const [entry] = await freeNames([{ kind: 'transformation', id: newId(), name, source }])
    if (entry !== undefined && entry.kind !== 'connector') put(entry.name, values, entry)
  }
}
