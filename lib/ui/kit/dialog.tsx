'use client'

import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Boundary } from './boundary.tsx'

/**
 * The frame of a dialog: its title, its content, and a button that closes it.
 *
 * @param below What stands below the title.
 * @param className Place, size and surface of the dialog.
 * @param focus What takes the focus when it opens: the title, or the first field of the content.
 */
export function DialogFrame({
  open = true,
  onClose,
  title,
  titleLook = 'text-lg',
  below,
  className,
  focus = 'title',
  finalFocus,
  children,
}: {
  open?: boolean
  onClose: () => void
  title: string | undefined
  titleLook?: string
  below?: ReactNode
  className: string
  focus?: 'title' | 'content'
  finalFocus?: ComponentProps<typeof Dialog.Popup>['finalFocus']
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop data-veil className="fixed inset-0 z-dialog bg-veil" />
        <Dialog.Popup
          {...(focus === 'title' && { initialFocus: heading })}
          {...(finalFocus && { finalFocus })}
          className={`fixed z-dialog overflow-y-auto outline-none ${className}`}
        >
          <div className="min-w-0 pr-10">
            <Dialog.Title
              ref={heading}
              tabIndex={-1}
              className={`font-semibold outline-none [overflow-wrap:anywhere] ${titleLook}`}
            >
              {title}
            </Dialog.Title>
            {below}
          </div>
          <Boundary what="This dialog">{children}</Boundary>
          {/* After the content, so that a field of it is the first that takes the focus. */}
          <Dialog.Close
            aria-label="Close"
            className="absolute top-2 right-2 grid size-11 cursor-pointer place-items-center rounded-md text-ink-soft transition-colors hover:bg-sunk hover:text-ink sm:top-4 sm:right-4"
          >
            <X className="size-5" aria-hidden="true" />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
