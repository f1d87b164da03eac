'use client'

import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'

/**
 * The frame of a dialog: its title, which takes the focus, a button that closes it, and its content.
 *
 * @param below What stands below the title.
 * @param className Place and size of the dialog.
 */
export function DialogFrame({
  open = true,
  onClose,
  title,
  titleLook,
  below,
  className,
  finalFocus,
  children,
}: {
  open?: boolean
  onClose: () => void
  title: string
  titleLook: string
  below?: ReactNode
  className: string
  finalFocus?: ComponentProps<typeof Dialog.Popup>['finalFocus']
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup
          initialFocus={heading}
          {...(finalFocus && { finalFocus })}
          className={`fixed z-20 overflow-y-auto outline-none ${className}`}
        >
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0 flex-1">
              <Dialog.Title
                ref={heading}
                tabIndex={-1}
                className={`font-semibold outline-none [overflow-wrap:anywhere] ${titleLook}`}
              >
                {title}
              </Dialog.Title>
              {below}
            </div>
            <Dialog.Close
              aria-label="Close"
              className="-mt-1.5 -mr-2 grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-ink-soft transition-colors hover:bg-sunk hover:text-ink"
            >
              <X className="size-5" aria-hidden="true" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
