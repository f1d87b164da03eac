'use client'

import { useState } from 'react'
import { Button } from '#lib/ui/components/button.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import type { ShownPiece } from './piece-form.tsx'
import { shownErrorMessage, showPiece } from './shown-requests.ts'
import { removeStill, sendStill } from './use-still.ts'

/**
 * Shows a published piece on this site as the studio has it.
 *
 * @param begun Whether its form is open from the beginning.
 */
export function ShownForm({
  shown: { piece, still, isStillDeclined, form },
  begun,
  onSaved,
}: {
  shown: ShownPiece
  begun: boolean
  onSaved: () => void
}) {
  const [open, setOpen] = useState(begun)
  const { busy, said, act } = useAction(shownErrorMessage)
  if (piece === undefined) return null
  if (!open) return <Button onClick={() => setOpen(true)}>Change how it is shown</Button>
  const save = async () => {
    const { name } = piece
    await showPiece(name, piece)
    if (still !== undefined) await sendStill(name, still)
    else if (isStillDeclined) await removeStill(name)
    onSaved()
    return 'This site shows it like this now.'
  }
  return (
    <section aria-labelledby="how-it-is-shown" className="space-y-3">
      <h3 id="how-it-is-shown" className="font-semibold">
        Change how it is shown
      </h3>
      {form(busy)}
      <div className="flex flex-wrap items-center gap-3">
        <Button aria-disabled={busy} onClick={() => void act(save)}>
          Show it like this
        </Button>
        <p role="status" className="min-w-0 text-sm">
          {said}
        </p>
      </div>
    </section>
  )
}
