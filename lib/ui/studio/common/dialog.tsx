'use client'

import { Dialog } from '@base-ui/react/dialog'
import type { ComponentProps } from 'react'
import { DialogFrame } from '#lib/ui/kit/dialog.tsx'

type FrameProps = ComponentProps<typeof DialogFrame>

/**
 * A dialog of the studio.
 *
 * @param focusTitle Focuses the title when it opens, for content without fields.
 */
export function StudioDialog({
  onOpenChange,
  description,
  wide = false,
  focusTitle = false,
  ...rest
}: Pick<FrameProps, 'open' | 'title' | 'finalFocus' | 'children'> & {
  onOpenChange: (open: boolean) => void
  description?: string
  wide?: boolean
  focusTitle?: boolean
}) {
  return (
    <DialogFrame
      {...rest}
      onClose={() => onOpenChange(false)}
      focus={focusTitle ? 'title' : 'content'}
      below={
        description && (
          <Dialog.Description className="mt-1 mb-3 text-ink-soft text-sm">{description}</Dialog.Description>
        )
      }
      className={`inset-x-4 top-[8vh] mx-auto max-h-[84vh] rounded-lg border border-edge bg-raised p-4 sm:p-5 ${wide ? 'max-w-2xl' : 'max-w-xl'}`}
    />
  )
}
