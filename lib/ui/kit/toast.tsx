'use client'

import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { TextButton } from './button.tsx'
import { IconButton } from './icon-button.tsx'

/** A text of this moment; another object with the same text is another message. */
export interface Message {
  readonly text: string
}

const MIN_MS = 5_000
const MS_PER_CHARACTER = 70

/**
 * The last message, in a row of its own, for as long as it takes to read. It takes its room from what stands around it, so
 * that it covers nothing, and waits while the pointer or the focus is on it.
 *
 * @param onUndo Reverts what the message is about; absent where that is impossible.
 */
export function Toast({
  message,
  onUndo,
}: {
  message: Message | undefined
  onUndo: (() => void) | undefined
}) {
  const [dismissed, setDismissed] = useState<Message>()
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement>(undefined)
  const [count, setCount] = useState({ message, number: 0 })
  if (count.message !== message) setCount({ message, number: count.number + 1 })
  const isShown = message !== undefined && message !== dismissed && message.text !== ''

  const goBack = () => {
    before.current?.focus({ preventScroll: true })
    setFocused(false)
  }
  const dismiss = () => {
    // A removed button would leave the focus at the top of the page.
    if (row.current?.contains(document.activeElement)) goBack()
    setPointed(false)
    setFocused(false)
    setDismissed(message)
  }
  const isHeld = isPointed || isFocused
  useEffect(() => {
    if (!isShown || isHeld) return
    const timer = setTimeout(() => setDismissed(message), MIN_MS + MS_PER_CHARACTER * message.text.length)
    return () => clearTimeout(timer)
  }, [message, isShown, isHeld])
  const canUndo = onUndo !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: a removed button says nothing of the focus that it had
  useEffect(() => {
    if (isFocused && !row.current?.contains(document.activeElement)) goBack()
  }, [canUndo])
  useEffect(() => {
    if (!isShown) return
    // The focused line may be where the room was taken from; what closes for the message gives the focus back later. What
    // is pressed stands still: a button that moves under the pointer is not clicked.
    const keepInSight = () => document.querySelector(':focus-visible')?.scrollIntoView({ block: 'nearest' })
    keepInSight()
    document.addEventListener('focusin', keepInSight)
    return () => document.removeEventListener('focusin', keepInSight)
  }, [isShown])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is read longer where it is pointed at
    <div
      ref={row}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={({ relatedTarget }) => {
        setFocused(true)
        if (relatedTarget instanceof HTMLElement && !row.current?.contains(relatedTarget)) {
          before.current = relatedTarget
        }
      }}
      onBlur={({ relatedTarget }) => setFocused(row.current?.contains(relatedTarget) ?? false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        dismiss()
      }}
      className={`relative z-menu flex items-start gap-3 text-sm ${isShown ? 'border-line border-t bg-raised px-3 py-1' : ''}`}
    >
      <div role="status" className={`min-w-0 ${isShown ? 'py-2' : ''}`}>
        {isShown ? (
          // Another element, so that the same text is announced again.
          <p key={count.number} className="[overflow-wrap:anywhere]">
            {message.text}
            {canUndo ? <span className="sr-only"> Undo is beside it.</span> : null}
          </p>
        ) : null}
      </div>
      {isShown && canUndo ? (
        <TextButton
          onClick={() => {
            onUndo()
            dismiss()
          }}
          className="min-h-9 shrink-0 touch:min-h-11"
        >
          Undo
        </TextButton>
      ) : null}
      {isShown ? (
        <IconButton label="Dismiss" onClick={dismiss} className="ml-auto">
          <X aria-hidden="true" />
        </IconButton>
      ) : null}
    </div>
  )
}
