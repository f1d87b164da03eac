'use client'

import { Dialog } from '@base-ui/react/dialog'
import { type ComponentProps, type ReactNode, useRef } from 'react'

/**
 * The frame of the studio's dialogs: title, content, and a button that closes it.
 *
 * @param focusTitle Focuses the title when it opens, for content without fields.
 */
export function StudioDialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  focusTitle = false,
  finalFocus,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string | undefined
  description?: string
  wide?: boolean
  focusTitle?: boolean
  finalFocus?: ComponentProps<typeof Dialog.Popup>['finalFocus']
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup
          {...(focusTitle && { initialFocus: heading })}
          {...(finalFocus && { finalFocus })}
          className={`fixed inset-x-4 top-[8vh] z-20 mx-auto max-h-[84vh] overflow-y-auto rounded-lg border border-edge bg-raised p-4 sm:p-5 ${wide ? 'max-w-2xl' : 'max-w-xl'}`}
        >
          <Dialog.Title ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
            {title}
          </Dialog.Title>
          {description === undefined ? null : (
            <Dialog.Description className="mt-1 mb-3 text-ink-soft text-sm">{description}</Dialog.Description>
          )}
          {children}
          <Dialog.Close className="mt-4 min-h-11 cursor-pointer rounded-md border border-edge px-4 text-sm hover:border-accent">
            Close
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
