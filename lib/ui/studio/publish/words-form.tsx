'use client'

import { useId } from 'react'
import { MAX_DESCRIPTION_LENGTH } from '#lib/protocol/author-metadata.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { textLink } from '#lib/ui/components/link-style.ts'
import { itemKey, type PlanItem } from './plan.ts'
import { LICENCES, type WordChoices, wordsOf } from './words.ts'

const field = 'rounded-md border border-edge bg-raised px-3 py-2 text-sm'

/** What is published with a plan beside its code: descriptions, a licence, and the source unless the box is cleared. */
export function WordsForm({
  items,
  document,
  choices,
  onChange,
  disabled,
}: {
  /** What has to be published. */
  items: readonly PlanItem[]
  document: StudioDocument
  choices: WordChoices
  onChange: (choices: WordChoices) => void
  disabled: boolean
}) {
  const id = useId()
  const own = items.filter(({ inDocument }) => inDocument)
  if (own.length === 0) return null
  const bodies = own.some(({ kind }) => kind !== 'connector')
  return (
    <fieldset disabled={disabled} className="space-y-4 border-line border-t pt-4">
      <legend className="sr-only">What others read about it</legend>
      {bodies ? (
        <div>
          <label className="flex min-h-11 items-center gap-3 font-medium">
            <input
              type="checkbox"
              className="size-5 accent-accent"
              checked={choices.openSource}
              aria-describedby={`${id}-open`}
              onChange={(event) => onChange({ ...choices, openSource: event.currentTarget.checked })}
            />
            Publish the source
          </label>
          <p id={`${id}-open`} className="max-w-prose text-ink-soft text-sm">
            Anyone can read how it works and remix it. What is published stays published. Without the source
            only the compiled code is public.{' '}
            <a className={textLink} href="/docs/authors-words">
              What is published
            </a>
          </p>
        </div>
      ) : null}
      <label className="block text-sm">
        <span className="font-medium">Licence</span>
        <select
          className={`${field} mt-1 block min-h-11 w-full max-w-prose`}
          value={choices.licence}
          onChange={(event) => onChange({ ...choices, licence: event.currentTarget.value })}
        >
          {LICENCES.map(([licence, says]) => (
            <option key={licence} value={licence}>
              {says}
            </option>
          ))}
        </select>
      </label>
      {own.map((item) => (
        <Description
          key={itemKey(item)}
          item={item}
          text={choices.descriptions.get(itemKey(item)) ?? ''}
          problem={wordsOf(item, document, choices).problem}
          onText={(text) =>
            onChange({ ...choices, descriptions: new Map(choices.descriptions).set(itemKey(item), text) })
          }
        />
      ))}
    </fieldset>
  )
}

function Description({
  item,
  text,
  problem,
  onText,
}: {
  item: PlanItem
  text: string
  problem: string | undefined
  onText: (text: string) => void
}) {
  return (
    <div className="text-sm">
      <label className="block">
        <span className="font-medium">
          What <span className="mono [overflow-wrap:anywhere]">{item.name}</span> does
        </span>{' '}
        <span className="text-ink-soft">(optional)</span>
        <textarea
          className={`${field} mt-1 block w-full max-w-prose`}
          rows={2}
          maxLength={MAX_DESCRIPTION_LENGTH}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
        />
      </label>
      {problem === undefined ? null : (
        <p role="status" className="mt-1 max-w-prose">
          {problem}
        </p>
      )}
    </div>
  )
}
