'use client'

import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { argumentNames, shortHex } from '#lib/browser/format.ts'
import { argsNamesOf } from '#lib/studio/document/args-count.ts'
import { type LibraryCode, MAX_ARGUMENT_FIELDS, type Parts } from '#lib/studio/document/parts.ts'
import { argsOf, type Choice, comments } from '#lib/studio/library/choices.ts'
import { type Pictured, pictureKey } from '#lib/studio/library/pictures.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { stepPath } from '#lib/ui/plots/svg.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'

/** Pictures of this many choices are drawn. */
const MAX_PICTURES = 32
const ROOM_PIXELS = 280
const WIDTH_PIXELS = 480

/** The list below a name field, over everything else; the field keeps the focus and the keys. */
export function PickerList({
  id,
  field,
  choices,
  active,
  onKey,
  onPick,
}: {
  id: string
  field: RefObject<HTMLInputElement | null>
  choices: readonly Choice[]
  active: number
  onKey: (event: KeyboardEvent) => void
  onPick: (choice: Choice) => void
}) {
  const { pictures } = useCurrentSession()
  const parts = useSession((state) => state.parts)
  const place = usePlaceBelow(field)
  const drawn = useValue(pictures)
  const wanted = useMemo(() => picturedOf(choices.slice(0, MAX_PICTURES), parts), [choices, parts])
  const keys = wanted.map(pictureKey).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys are what is wanted, by value
  useEffect(() => {
    const ending = new AbortController()
    pictures.draw(wanted, ending.signal).catch(() => {
      // Without the network there are no pictures.
    })
    return () => ending.abort()
  }, [keys])
  useEffect(() => {
    const input = field.current
    // Before the editor around the field, which has other uses for these keys.
    input?.addEventListener('keydown', onKey)
    return () => input?.removeEventListener('keydown', onKey)
  }, [field, onKey])
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])

  const choice = choices[active]
  return createPortal(
    <section
      aria-label="What can be chosen"
      style={place}
      onMouseDown={(event) => event.preventDefault()}
      className="fixed z-menu flex flex-col overflow-hidden rounded-lg border border-edge bg-raised shadow-lg"
    >
      <p role="status" className="sr-only">
        {choices.length === 0 ? 'Nothing found.' : `${choices.length} found.`}
      </p>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Functions"
        className="min-h-0 flex-1 overflow-y-auto p-1"
      >
        {choices.map((each, index) => {
          const values = drawn.get(wantedKey(wanted, each))
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
            <div
              key={`${each.from} ${each.name}`}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onClick={() => onPick(each)}
              className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-2 py-1 text-sm hover:bg-sunk aria-selected:bg-sunk aria-selected:outline-2 aria-selected:outline-accent aria-selected:-outline-offset-2"
            >
              <Picture values={values} />
              <span className="min-w-0 flex-1">
                <span className="mono [overflow-wrap:anywhere]">
                  {each.from === 'new' ? `New: ${each.name}` : each.name}
                  <span className="text-ink-soft">{signatureOf(each, parts)}</span>
                </span>
                <span className="line-clamp-1 text-ink-soft text-xs">{sentenceOf(each, parts)}</span>
              </span>
              <span className="shrink-0 text-ink-soft text-xs max-sm:hidden">{makerOf(each, parts)}</span>
            </div>
          )
        })}
        {choices.length === 0 ? (
          <p className="p-3 text-ink-soft text-sm">
            Nothing does that. Try another word, for instance “wrap”, “bounce” or “random”.
          </p>
        ) : null}
      </div>
      {choice === undefined ? null : (
        <div className="border-line border-t px-3 py-2 text-xs">
          <p className="text-ink-soft">{`${sentenceOf(choice, parts)} ${makerOf(choice, parts)}`}</p>
          <Source choice={choice} parts={parts} />
        </div>
      )}
    </section>,
    document.body,
  )
}

function Source({ choice, parts }: { choice: Choice; parts: Parts }) {
  const source =
    choice.from === 'own'
      ? choice.entry.source
      : choice.from === 'phrase book'
        ? choice.phrase.source
        : publishedCode(choice, parts)?.source?.text
  if (source === undefined) return null
  return (
    <pre className="mono mt-1 max-h-16 overflow-hidden whitespace-pre-wrap text-xs [overflow-wrap:anywhere] max-sm:hidden">
      {source}
    </pre>
  )
}

/** Drawn from values of a run; a line in the middle where there are none. */
function Picture({ values = [] }: { values: readonly number[] | undefined }) {
  const d = stepPath(values, { width: 64, top: 2, bottom: 20 })
  return (
    <svg
      viewBox="0 0 64 22"
      aria-hidden="true"
      className="h-[22px] w-16 shrink-0 rounded-sm bg-sunk"
      data-drawn={d !== ''}
    >
      <path d={d === '' ? 'M26 11h12' : d} fill="none" stroke={threadColor(0)} strokeWidth="1.5" />
    </svg>
  )
}

function signatureOf(choice: Choice, parts: Parts): string {
  if (choice.from === 'new') return ''
  if (choice.from === 'phrase book') return `(${choice.phrase.args.map(({ name }) => name).join(', ')})`
  const takes = argsOf(choice, parts)
  if (takes === undefined) return ''
  const source = choice.from === 'own' ? choice.entry.source : publishedCode(choice, parts)?.source?.text
  return `(${argumentNames(takes, undefined, argsNamesOf(source ?? '')).join(', ')})`
}

/** Code of a published choice, as far as it is known. */
function publishedCode(choice: Choice, parts: Parts): LibraryCode | undefined {
  if (choice.from !== 'published') return undefined
  const part = parts.find('transformation', choice.name)
  return typeof part === 'object' && part.from === 'library' && part.entity.kind !== 'connector'
    ? part.entity
    : undefined
}

function sentenceOf(choice: Choice, parts: Parts): string {
  switch (choice.from) {
    case 'phrase book':
      return choice.phrase.sentence
    case 'own':
      return comments(choice.entry.source) || 'Its body is yours to change.'
    case 'published': {
      const known = publishedCode(choice, parts)
      return known?.description ?? (known?.source ? 'Its source is published.' : 'No source published.')
    }
    case 'new':
      return 'Write what it does yourself, in a line of Solidity.'
  }
}

function makerOf(choice: Choice, parts: Parts): string {
  if (choice.from === 'own') return 'yours'
  if (choice.from !== 'published') return choice.from === 'new' ? '' : 'phrase book'
  const part = parts.find('transformation', choice.name)
  return typeof part === 'object' && part.from === 'library'
    ? `by 0x${shortHex(part.entity.owner)}`
    : 'published'
}

/** Choices that pictures are drawn of: all that are known to take so many arguments. */
function picturedOf(choices: readonly Choice[], parts: Parts): readonly Pictured[] {
  return choices.flatMap((choice): Pictured[] => {
    if (choice.from === 'new') return []
    if (choice.from === 'phrase book') return [{ choice, args: choice.phrase.args.map(({ value }) => value) }]
    const takes = argsOf(choice, parts)
    return takes === undefined || takes > MAX_ARGUMENT_FIELDS
      ? []
      : [{ choice, args: Array.from({ length: takes }, (_, index) => 3 + 4 * index) }]
  })
}

function wantedKey(wanted: readonly Pictured[], choice: Choice): string {
  const found = wanted.find((each) => each.choice === choice)
  return found === undefined ? '' : pictureKey(found)
}

/** A place below a field, or above it where there is more room; it follows when something scrolls. */
function usePlaceBelow(field: RefObject<HTMLInputElement | null>): CSSProperties {
  const [place, setPlace] = useState<CSSProperties>({ visibility: 'hidden' })
  useLayoutEffect(() => {
    const update = () => {
      const box = field.current?.getBoundingClientRect()
      if (box === undefined) return
      const width = Math.min(WIDTH_PIXELS, innerWidth - 16)
      const left = Math.max(8, Math.min(box.left, innerWidth - width - 8))
      const [above, below] = [box.top - 12, innerHeight - box.bottom - 12]
      setPlace(
        below >= ROOM_PIXELS || below >= above
          ? { left, width, top: box.bottom + 4, maxHeight: Math.min(400, below) }
          : { left, width, bottom: innerHeight - box.top + 4, maxHeight: Math.min(400, above) },
      )
    }
    update()
    addEventListener('scroll', update, true)
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update, true)
      removeEventListener('resize', update)
    }
  }, [field])
  return place
}
