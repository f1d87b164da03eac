'use client'

import { EllipsisVertical } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useRef,
  useState,
} from 'react'
import { readNumber } from '#lib/browser/typed-number.ts'
import { limitsOf, type NumberRef, setNumber } from '#lib/studio/document/commands/knobs.ts'
import { type Knob, targetKey } from '#lib/studio/document/knob.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import { newId } from '#lib/studio/document/types.ts'
import { Press } from '#lib/ui/kit/button.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { type DragStart, dragged, stepped, weighted } from './drag-number.ts'
import { NumberMenu } from './number-menu.tsx'

/** A press that moves less than this is a click. */
const DRAG_FROM_PIXELS = 3

interface Drag {
  readonly id: string
  readonly text: string
  readonly start: DragStart
  /** Position of the pointer, along the way of the drag. */
  place: number
  pixels: number
  moved: boolean
}

/**
 * A number to hold: dragged sideways, stepped by arrow keys, typed, and with a menu. A whole drag is one step of undo.
 *
 * @param also Numbers that are the same one on the screen, and change with it.
 * @param knob Its knob, where it is one: the drag stays in its range.
 * @param color Of its knob, as a CSS colour; by default that of all that is chosen.
 * @param free Whether an empty start removes the running instance of its position.
 * @param level A level of a pattern: dragged upwards, and a press switches between 0 and this value.
 * @param shownCaption Beside the number, in place of `caption`; null for nothing.
 */
export function LiveNumber({
  at,
  also,
  edit,
  value,
  knob,
  color,
  free = false,
  level,
  readOnly = false,
  look = 'small',
  caption,
  shownCaption = caption,
  className = '',
  style,
  ...rest
}: Omit<ComponentProps<typeof NumberField>, 'onText' | 'value'> & {
  value: string
  at: NumberRef
  also?: readonly NumberRef[] | undefined
  edit: StudioStore['edit']
  knob?: Knob | undefined
  color?: string | undefined
  free?: boolean
  level?: string | undefined
  /** Name of the argument, where it is known. */
  caption?: string | undefined
  shownCaption?: string | null | undefined
}) {
  const input = useRef<HTMLInputElement>(null)
  const drag = useRef<Drag>(undefined)
  /** Whether the press that ends now was a drag: it is no click. */
  const wasDragged = useRef(false)
  const [dragging, setDragging] = useState(false)
  const [typing, setTyping] = useState(false)
  const [menu, setMenu] = useState(false)
  const isLevel = level !== undefined
  const range = knob ?? limitsOf(at.target)
  const read = readNumber(value, limitsOf(at.target))
  // An empty start shows where it begins without it.
  const shown = read.ok ? read.value : Number(rest.placeholder ?? Math.max(0, range.min)) || 0
  const key = numberKey(at)

  const set = (text: string, how?: { readonly drag: string }) =>
    edit(
      LABELS[at.target.kind],
      (document) => [at, ...(also ?? [])].reduce((next, each) => setNumber(next, each, text, free), document),
      {
        merge: how === undefined ? `number/${key}` : `number/${key}/${how.drag}`,
        hold: how !== undefined,
      },
    )

  const onPointerDown = (event: PointerEvent<HTMLInputElement>) => {
    wasDragged.current = false
    if (readOnly || typing || event.button !== 0) return
    // Now, since a fast pointer has left the field by its first movement.
    event.currentTarget.setPointerCapture(event.pointerId)
    const { min, max } = range
    const start = { value: shown, min, max, isKnob: knob !== undefined, isLevel }
    drag.current = { id: newId(), text: value, start, place: placeOf(event), pixels: 0, moved: false }
  }
  const placeOf = ({ clientX, clientY }: PointerEvent) => (isLevel ? -clientY : clientX)
  const onPointerMove = (event: PointerEvent<HTMLInputElement>) => {
    const { current } = drag
    if (current === undefined) return
    if (!current.moved) {
      if (Math.abs(placeOf(event) - current.place) < DRAG_FROM_PIXELS) return
      current.moved = true
      setDragging(true)
      // A touch that takes the focus would open a keyboard.
      if (event.pointerType !== 'touch') event.currentTarget.focus()
    }
    current.pixels += weighted(placeOf(event) - current.place, event)
    current.place = placeOf(event)
    const next = String(dragged(current.start, current.pixels))
    if (next !== value) set(next, { drag: current.id })
  }
  const onPointerUp = () => {
    wasDragged.current = drag.current?.moved ?? false
    drag.current = undefined
    setDragging(false)
  }
  const cancel = () => {
    const { current } = drag
    drag.current = undefined
    setDragging(false)
    wasDragged.current = current?.moved ?? false
    if (current?.moved) set(current.text, { drag: current.id })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (readOnly) return
    if (event.key === 'Escape' && drag.current?.moved) {
      event.preventDefault()
      event.stopPropagation()
      cancel()
    } else if (event.altKey && event.key === 'Enter') {
      event.preventDefault()
      setMenu(true)
    } else if (!event.altKey && !event.ctrlKey && !event.metaKey) {
      if (isLevel && event.key === ' ') {
        event.preventDefault()
        event.stopPropagation()
        return toggle()
      }
      const next = stepped(shown, event.key, event.shiftKey, range)
      if (next === undefined) return
      event.preventDefault()
      event.stopPropagation()
      if (String(next) !== value) set(String(next))
      // What is typed next replaces it.
      const field = event.currentTarget
      requestAnimationFrame(() => field.select())
    }
  }
  const onContextMenu = (event: MouseEvent) => {
    // The pointer in a text that is typed has the browser's own menu.
    if (readOnly || (typing && event.button === 2)) return
    event.preventDefault()
    setMenu(true)
  }
  const toggle = () => set(shown > 0 ? '0' : level!)
  const isQuiet = look === 'quiet'
  const length = (value || (rest.placeholder ?? '')).length
  const width = isQuiet ? Math.min(11, length) + 1.25 : Math.max(3, Math.min(11, length)) + 4

  return (
    <span className="inline-flex min-w-0 items-center">
      {shownCaption === undefined || shownCaption === null ? null : (
        <span
          aria-hidden="true"
          className={`text-ink-soft ${shownCaption.length > 1 ? 'pr-1 text-xs' : 'mono text-sm'}`}
        >
          {shownCaption}
        </span>
      )}
      <span className="group/number relative inline-flex min-w-0">
        <NumberField
          {...rest}
          look={look}
          ref={input}
          readOnly={readOnly}
          value={value}
          onText={(text) => {
            setTyping(true)
            set(text)
          }}
          role="spinbutton"
          aria-valuenow={read.ok ? read.value : undefined}
          aria-valuetext={value === '' ? `${rest.placeholder ?? 'nothing'}, not set` : value}
          aria-valuemin={range.min}
          aria-valuemax={range.max}
          aria-keyshortcuts="ArrowUp ArrowDown Alt+Enter"
          title={titleOf(knob, caption, readOnly, isLevel)}
          style={{ width: `${width}ch`, ...style }}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={cancel}
          onMouseDown={(event) => {
            // A drag chooses no text, and takes the focus at its end.
            if (!readOnly && !typing && event.button === 0) event.preventDefault()
          }}
          onClick={(event) => {
            const ended = wasDragged.current
            wasDragged.current = false
            if (readOnly || typing || ended) return
            if (isLevel) {
              toggle()
              if (coarse(event)) return
            } else setTyping(true)
            event.currentTarget.focus()
            event.currentTarget.select()
          }}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={() => setTyping(false)}
          onKeyDown={onKeyDown}
          onContextMenu={onContextMenu}
          className={`${isLevel ? 'touch-pan-x' : 'touch-pan-y'} ${readOnly || typing ? '' : isLevel ? 'cursor-ns-resize' : 'cursor-ew-resize'} ${dragging ? 'bg-sunk!' : ''} ${className}`}
        />
        {knob === undefined ? null : (
          <span
            aria-hidden="true"
            data-knob-line
            className="pointer-events-none absolute inset-x-0.5 bottom-0 h-0.5 bg-accent forced-colors:bg-[Highlight]"
            style={color === undefined ? undefined : { background: color }}
          />
        )}
        {readOnly ? null : (
          <Press
            tabIndex={-1}
            aria-label="More for this number"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setMenu(true)}
            className={`nodrag absolute hidden place-items-center text-ink-soft hover:text-accent group-focus-within/number:grid ${isQuiet ? '-top-3 -right-2 z-raised size-5 rounded-full border border-edge bg-raised touch:size-7' : 'inset-y-1 left-0.5 w-5 rounded-sm bg-raised group-hover/number:grid touch:w-6'}`}
          >
            <EllipsisVertical className="size-3.5" aria-hidden="true" />
          </Press>
        )}
      </span>
      {menu ? (
        <NumberMenu
          at={at}
          anchor={input}
          shown={shown}
          unset={!read.ok}
          knob={knob}
          caption={caption}
          value={value}
          onReset={(text) => set(text)}
          onClose={() => setMenu(false)}
        />
      ) : null}
    </span>
  )
}

const LABELS = {
  call: 'Change number',
  condition: 'Change number',
  start: 'Set start',
  shift: 'Set skipped steps',
} as const

function numberKey({ entryId, target }: NumberRef): string {
  return `${entryId}/${targetKey(target)}`
}

function titleOf(
  knob: Knob | undefined,
  caption: string | undefined,
  readOnly: boolean,
  isLevel: boolean,
): string | undefined {
  if (readOnly) return caption
  const what = knob === undefined ? caption : `Knob ${knob.name}, ${knob.min} to ${knob.max}`
  const how = isLevel ? 'Press to switch, drag upwards for louder.' : 'Drag sideways, or click to type.'
  return `${what === undefined ? '' : `${what}. `}${how}`
}

/** Whether a touch pressed: the focus would open a keyboard. */
function coarse({ nativeEvent }: MouseEvent): boolean {
  return (nativeEvent as globalThis.PointerEvent).pointerType === 'touch'
}
