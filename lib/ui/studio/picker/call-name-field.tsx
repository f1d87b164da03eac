'use client'

import { useQuery } from '@tanstack/react-query'
import {
  type ComponentProps,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isEntityName } from '#lib/protocol/names.ts'
import { type CallRef, setArguments, setName } from '#lib/studio/document/commands/connector.ts'
import { addEntry, newCode } from '#lib/studio/document/commands/entries.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import { MAX_ARGUMENT_FIELDS } from '#lib/studio/document/parts.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import { type CodeEntry, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { argsOf, type Choice, choicesFor } from '#lib/studio/library/choices.ts'
import { NameField } from '../common/fields.tsx'
import { useCurrentSession, useDocument, useSession } from '../common/session.tsx'
import { publishedPhrases } from '../library/published-phrases.ts'
import { type PublishedName, usePublished } from '../library/use-published.ts'
import { PickerList } from './picker-list.tsx'

type Props = Omit<ComponentProps<typeof NameField>, 'of' | 'onText'> & {
  onText: (text: string) => void
  at: CallRef
  edit: StudioStore['edit']
  call: { readonly name: string; readonly args: readonly string[] }
  /** Calls that get what is chosen, too, and keep their arguments as far as it takes them. */
  also?: readonly CallRef[]
}

/**
 * The name of a transformation: typed as it is, or found by what it does in a list that opens below. A name is taken over
 * once there is something of that name, else when the field is left; Escape brings back the one before. Words that are no
 * name only search.
 *
 * It is no combobox of Base UI, of which 64 take 200 times as long to mount as 64 fields: an outline has one for each call.
 */
export function CallNameField({ at, also = NO_CALLS, edit, call, onText, ...rest }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  /** Text that is typed and not taken over. */
  const [words, setWords] = useState<string>()
  /** The name before the first of the letters that are typed now. */
  const before = useRef<string>(undefined)
  /** Whether something was typed since the list is open: else it shows everything. */
  const [searching, setSearching] = useState(false)
  const [active, setActive] = useState(-1)
  const show = (shown: boolean, search = false) => {
    setOpen(shown)
    setSearching(search)
    setActive(search ? 0 : -1)
  }
  const text = words ?? call.name
  const isKnown = useSession(
    ({ parts }) =>
      words !== undefined && isEntityName(words) && typeof parts.find('transformation', words) === 'object',
  )
  const take = useEffectEvent((name: string) => {
    setWords(undefined)
    if (name !== call.name) onText(name)
  })
  useEffect(() => {
    if (isKnown && words !== undefined) take(words)
  }, [isKnown, words])
  return (
    <>
      <NameField
        {...rest}
        ref={field}
        value={text}
        onText={(next) => {
          before.current ??= call.name
          setWords(next)
          show(true, next !== '')
        }}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? `${id}-list` : undefined}
        aria-activedescendant={open && active >= 0 ? `${id}-${active}` : undefined}
        placeholder={rest.placeholder ?? 'what it does'}
        onFocus={() => call.name === '' && !rest.readOnly && show(true)}
        onClick={() => !rest.readOnly && show(true)}
        onBlur={() => {
          if (words !== undefined) {
            setWords(undefined)
            if (words !== call.name && (words === '' || isEntityName(words))) onText(words)
          }
          before.current = undefined
          show(false)
        }}
        onKeyDown={(event) => {
          if (open || rest.readOnly || event.key !== 'ArrowDown' || event.altKey) return
          event.preventDefault()
          event.stopPropagation()
          show(true)
        }}
      />
      {open ? (
        <Picker
          id={id}
          field={field}
          text={searching ? text : ''}
          typed={words !== undefined}
          at={at}
          also={also}
          edit={edit}
          args={call.args}
          active={active}
          onActive={setActive}
          onClose={(cancelled) => {
            setWords(undefined)
            if (cancelled && before.current !== undefined && before.current !== call.name) {
              onText(before.current)
            }
            before.current = undefined
            show(false)
          }}
        />
      ) : null}
    </>
  )
}

const NONE: readonly PublishedName[] = []
const NO_CALLS: readonly CallRef[] = []

/** List of the matches, mounted while it is shown. */
function Picker({
  id,
  field,
  text,
  typed,
  at,
  also,
  edit,
  args,
  active,
  onActive,
  onClose,
}: {
  id: string
  field: RefObject<HTMLInputElement | null>
  text: string
  /** Whether the text is not taken over. */
  typed: boolean
  at: CallRef
  also: readonly CallRef[]
  edit: StudioStore['edit']
  args: readonly string[]
  active: number
  onActive: (index: number) => void
  onClose: (cancelled: boolean) => void
}) {
  const { entries } = useDocument()
  const parts = useSession((state) => state.parts)
  const { data = NONE } = usePublished('transformation')
  const choose = useChoose(at, also, args, edit)
  const exact = isEntityName(text) ? parts.find('transformation', text) : 'absent'
  const isKnown = typeof exact === 'object' && exact.from === 'library'
  const choices = useMemo(
    () => choicesFor(text, entries, [...(isKnown ? [text] : []), ...data.map(({ name }) => name)]),
    [text, entries, isKnown, data],
  )
  const chosen = Math.min(active, choices.length - 1)

  const pick = (choice: Choice) => {
    onClose(false)
    const row = field.current?.closest('[data-row], [data-line]')
    void choose(choice).then(() => {
      // The fields of the arguments are there after the next paint.
      requestAnimationFrame(() => {
        const argument = row?.querySelector<HTMLElement>('[role=spinbutton]:not([data-start])')
        ;(argument ?? field.current)?.focus()
      })
    })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const choice = choices[chosen]
    if (by !== 0 && choices.length > 0) {
      onActive(chosen < 0 && by < 0 ? choices.length - 1 : (chosen + by + choices.length) % choices.length)
    } else if (event.key === 'Enter' && choice !== undefined) pick(choice)
    else if (event.key === 'Escape' && (typed || active > 0)) onClose(true)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return <PickerList id={id} field={field} choices={choices} active={chosen} onKey={onKey} onPick={pick} />
}

/**
 * Puts a choice into a call or condition, with arguments that make sense, as one step of undo. A phrase that this network
 * does not have becomes an entry of the document.
 */
function useChoose(
  at: CallRef,
  also: readonly CallRef[],
  args: readonly string[],
  edit: StudioStore['edit'],
): (choice: Choice) => Promise<void> {
  const session = useCurrentSession()
  const { freeNames, announce } = session
  const { data: published } = useQuery(publishedPhrases)

  const put = (name: string, next: readonly string[], entry?: CodeEntry) => {
    const command = (document: StudioDocument) => {
      const called = [at, ...also].reduce((changed, each) => {
        const own = also.length === 0 ? undefined : argumentsAt(document, each)
        const given = next.map((text, index) => own?.[index] ?? text)
        return setArguments(setName(changed, each, name), each, given)
      }, document)
      return entry === undefined ? called : addEntry(called, { entry })
    }
    // The letters that it was found by are a part of the step.
    edit('Choose function', command, { merge: `${refKey(at)}/name`, hold: true })
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
      // While that is not known, numbers stay: there may be as many.
      const takes = argsOf(choice, session.getState().parts) ?? args.length
      const length = Math.min(takes, MAX_ARGUMENT_FIELDS)
      put(
        choice.name,
        Array.from({ length }, (_, index) => args[index] || '1'),
      )
      return
    }
    const { name, source, args: known } = choice.phrase
    const values = known.map(({ value }) => String(value))
    if (published?.has(name)) return put(name, values)
    const [entry] = await freeNames([{ kind: 'transformation', id: newId(), name, source }])
    if (entry !== undefined && entry.kind !== 'connector') put(entry.name, values, entry)
  }
}

function argumentsAt({ entries }: StudioDocument, at: CallRef): readonly string[] | undefined {
  const entry = entries.find(({ id }) => id === at.entryId)
  if (entry?.kind !== 'connector' || at.kind !== 'call') return undefined
  const dimension = entry.dimensions.find(({ id }) => id === at.dimensionId)
  return dimension?.calls.find(({ id }) => id === at.callId)?.args
}
