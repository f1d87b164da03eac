'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { BarButton } from '../shell/bar-button.tsx'
import { LessonList } from './lesson-list.tsx'

/** Opens the list of lessons from anywhere in the studio. */
export function LessonsButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <BarButton onClick={() => setOpen(true)}>Lessons</BarButton>
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
          <Dialog.Popup className="fixed inset-x-4 top-[8vh] z-20 mx-auto max-h-[80vh] max-w-xl overflow-y-auto rounded-lg border border-edge bg-raised p-5">
            <Dialog.Title className="font-semibold text-lg">Lessons</Dialog.Title>
            <Dialog.Description className="mt-1 mb-3 text-ink-soft text-sm">
              Each works in the studio itself, on pieces of its own. Your work stays as it is.
            </Dialog.Description>
            <LessonList onBegin={() => setOpen(false)} />
            <Dialog.Close className="mt-4 min-h-11 cursor-pointer rounded-md border border-edge px-4 text-sm hover:border-accent">
              Close
            </Dialog.Close>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  )
}
