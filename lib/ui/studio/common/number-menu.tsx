'use client'

import { Menu } from '@base-ui/react/menu'
import { type RefObject, useState } from 'react'
import {
  firstNumber,
  limitsOf,
  type NumberRef,
  putKnob,
  removeKnob,
  setNumber,
} from '#lib/studio/document/commands/knobs.ts'
import { guessedRange, type Knob, MAX_KNOBS } from '#lib/studio/document/knob.ts'
import { MENU_ITEM, MENU_POPUP } from '#lib/ui/kit/menu.tsx'
import { explainNumber, nameOfNumber, phraseIn } from './explain-number.ts'
import { useCurrentSession, useDocument, useSession } from './session.tsx'

/** The menu of a number, mounted while it is open. */
export function NumberMenu({
  at,
  anchor,
  shown,
  unset,
  knob,
  caption,
  value,
  onReset,
  onClose,
}: {
  at: NumberRef
  anchor: RefObject<HTMLInputElement | null>
  shown: number
  /** Whether the number is the default of a start that is not set. */
  unset: boolean
  knob: Knob | undefined
  caption: string | undefined
  /** Its text. */
  value: string
  onReset: (text: string) => void
  onClose: () => void
}) {
  const { document: store, announce } = useCurrentSession()
  const { entries } = useDocument()
  const parts = useSession((state) => state.parts)
  const [explained, setExplained] = useState(false)
  const { entryId, target } = at
  const entry = entries.find(({ id }) => id === entryId)
  if (entry?.kind !== 'connector') return null
  const first = firstNumber(store.history(), at)
  const reset = first === value ? undefined : first
  const isKnob = knob !== undefined
  const room = (entry.knobs?.length ?? 0) < MAX_KNOBS

  const makeKnob = () => {
    const name = nameOfNumber(parts, entry, target)
    store.edit('Make a knob', (document) => {
      const value = unset ? setNumber(document, at, String(shown)) : document
      return putKnob(value, entryId, { name, target, ...rangeOf() })
    })
    announce(`${name} is a knob, below the picture.`)
  }
  const rangeOf = () => {
    const call =
      target.kind === 'call'
        ? entry.dimensions.flatMap(({ calls }) => calls).find(({ id }) => id === target.callId)
        : undefined
    const known = target.kind === 'call' && call && phraseIn(parts, call.name)?.args[target.index]
    return known && known.min <= shown && shown <= known.max
      ? { min: known.min, max: known.max }
      : guessedRange(shown, limitsOf(target))
  }
  const removeIt = () => store.edit('Remove knob', (document) => removeKnob(document, at))

  return (
    <Menu.Root open modal={false} onOpenChange={(open) => open || onClose()}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} className="z-menu" sideOffset={4} align="start" collisionPadding={8}>
          <Menu.Popup
            finalFocus={anchor}
            aria-label={caption === undefined ? 'This number' : `This number, ${caption}`}
            className={`${MENU_POPUP} max-w-80`}
          >
            <Menu.Item
              disabled={!isKnob && !room}
              onClick={isKnob ? removeIt : makeKnob}
              className={MENU_ITEM}
            >
              {isKnob ? 'Remove its knob' : 'Make it a knob'}
            </Menu.Item>
            <Menu.Item
              disabled={reset === undefined}
              onClick={() => reset !== undefined && onReset(reset)}
              className={MENU_ITEM}
            >
              {reset === undefined ? 'Reset' : `Reset to ${reset}`}
            </Menu.Item>
            <Menu.Item closeOnClick={false} onClick={() => setExplained(true)} className={MENU_ITEM}>
              Explain
            </Menu.Item>
            <p
              role="status"
              className={explained ? 'max-w-72 px-3 py-2 text-sm [overflow-wrap:anywhere]' : 'sr-only'}
            >
              {explained ? explainNumber(parts, entry, target) : ''}
            </p>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
