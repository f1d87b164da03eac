'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { exactTime } from '../../time.ts'
import { useStudio } from '../context.tsx'
import type { StudioDocument } from '../document/types.ts'
import { BarButton } from '../shell/bar-button.tsx'
import { sentenceOf } from './in-words.ts'
import { useShelf } from './use-shelf.ts'
import { VersionLine } from './version-line.tsx'

/** What the workspace was before, for people whose account keeps it. */
export function HistoryButton() {
  const { shelf } = useShelf()
  const [open, setOpen] = useState(false)
  if (shelf.server === undefined) return null
  return (
    <>
      <BarButton aria-haspopup="dialog" onClick={() => setOpen(true)}>
        History
      </BarButton>
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
          <Dialog.Popup className="fixed inset-x-4 top-[8vh] z-20 mx-auto max-h-[84vh] max-w-2xl overflow-y-auto rounded-lg border border-edge bg-raised p-4 sm:p-5">
            <Dialog.Title className="font-semibold text-base">History</Dialog.Title>
            <p className="mt-1 text-ink-soft text-sm">
              What your account kept of this workspace: often in the last hour, now and then before.
            </p>
            <Versions onDone={() => setOpen(false)} />
            <Dialog.Close className="mt-4 min-h-11 cursor-pointer rounded-md border border-edge px-4 text-sm hover:border-accent">
              Close
            </Dialog.Close>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  )
}

function Versions({ onDone }: { onDone: () => void }) {
  const { shelf, state } = useShelf()
  const { store, say } = useStudio()
  const [shown, setShown] = useState<number>()
  const id = state.current as string
  const found = useQuery({
    queryKey: ['versions', id],
    // What has just been typed is part of it.
    queryFn: async () => {
      await shelf.syncNow()
      return (await shelf.server?.versions(id)) ?? []
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (found.isPending) {
    return (
      <p role="status" className="py-4 text-ink-soft text-sm">
        Reading…
      </p>
    )
  }
  if (found.isError) {
    return (
      <p role="alert" className="py-4 text-sm">
        {sentenceOf(found.error)}
      </p>
    )
  }
  if (found.data.length === 0) {
    return <p className="py-4 text-sm">Nothing yet: the first version is kept a moment after you begin.</p>
  }
  const restore = (document: StudioDocument, savedAtMs: number) => {
    const time = exactTime(savedAtMs)
    store.edit(`Restore ${time}`, () => document)
    say(`Restored the version of ${time}. Undo brings back what was here.`)
    onDone()
  }
  return (
    <ol className="mt-3 divide-y divide-line border-line border-y">
      {found.data.map((version, index) => (
        <VersionLine
          key={version.revision}
          workspace={id}
          version={version}
          newest={index === 0}
          open={shown === version.revision}
          onToggle={() => setShown(shown === version.revision ? undefined : version.revision)}
          onRestore={restore}
        />
      ))}
    </ol>
  )
}
