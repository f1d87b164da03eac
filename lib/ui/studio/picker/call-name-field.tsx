'use client'

import { type ComponentProps, type RefObject, useId, useMemo, useRef, useState } from 'react'
import { isEntityName } from '../../../protocol/names.ts'
import { useStudio } from '../common/context.tsx'
import { NameField } from '../common/fields.tsx'
import type { CallRef } from '../document/commands/connector.ts'
import type { StudioStore } from '../document/store.ts'
import { type PublishedName, usePublished } from '../library/use-published.ts'
import { type Choice, choicesFor } from './choices.ts'
import { PickerList } from './picker-list.tsx'
import { useChoose } from './use-choose.ts'

type Props = Omit<ComponentProps<typeof NameField>, 'of' | 'onText' | 'value'> & {
  at: CallRef
  edit: StudioStore['edit']
  call: { readonly name: string; readonly args: readonly string[] }
  onName: (name: string) => void
}

/**
 * The name of a transformation: typed as it is, or found by what it does in a list that opens below. Words that are no
 * name only search.
 */
export function CallNameField({ at, edit, call, onName, ...rest }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const [words, setWords] = useState<string>()
  /** Whether something was typed since the list is open: else it shows everything. */
  const [searching, setSearching] = useState(false)
  const [active, setActive] = useState(-1)
  const show = (shown: boolean, search = false) => {
    setOpen(shown)
    setSearching(search)
    setActive(search ? 0 : -1)
  }
  const text = words ?? call.name
  return (
    <>
      <NameField
        {...rest}
        ref={field}
        value={text}
        onText={(next) => {
          const isName = next === '' || isEntityName(next)
          setWords(isName ? undefined : next)
          if (isName) onName(next)
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
          setWords(undefined)
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
          edit={edit}
          args={call.args}
          active={active}
          onActive={setActive}
          onClose={() => {
            setWords(undefined)
            show(false)
          }}
        />
      ) : null}
    </>
  )
}

const NONE: readonly PublishedName[] = []

/** What is found, mounted while it is shown. */
function Picker({
  id,
  field,
  text,
  typed,
  at,
  edit,
  args,
  active,
  onActive,
  onClose,
}: {
  id: string
  field: RefObject<HTMLInputElement | null>
  text: string
  /** Whether the text only searches. */
  typed: boolean
  at: CallRef
  edit: StudioStore['edit']
  args: readonly string[]
  active: number
  onActive: (index: number) => void
  onClose: () => void
}) {
  const { state, parts } = useStudio()
  const { data = NONE } = usePublished('transformation')
  const choose = useChoose(at, args, edit)
  const { entries } = state.document
  const exact = isEntityName(text) ? parts.find('transformation', text) : 'absent'
  const isKnown = typeof exact === 'object' && exact.from === 'library'
  const choices = useMemo(
    () => choicesFor(text, entries, [...(isKnown ? [text] : []), ...data.map(({ name }) => name)]),
    [text, entries, isKnown, data],
  )
  const chosen = Math.min(active, choices.length - 1)

  const pick = (choice: Choice) => {
    onClose()
    const row = field.current?.closest('[data-row], [data-line]')
    void choose(choice).then(() => {
      // The fields of the arguments are there after the next paint.
      requestAnimationFrame(() => {
        const argument = row?.querySelector<HTMLElement>('[role=spinbutton]')
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
    else if (event.key === 'Escape' && (typed || active > 0)) onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return <PickerList id={id} field={field} choices={choices} active={chosen} onKey={onKey} onPick={pick} />
}
