'use client'

import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useValue } from '#lib/ui/components/value.ts'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { prompts } from '#lib/ui/wallet/prompt.ts'

/** A text of this moment; saying the same again is another one. */
export interface Said {
  readonly text: string
}

const LEAST_MS = 5_000
const MS_PER_CHARACTER = 70

/** The last announcement, for as long as it takes to read, in a live region that stays. */
export function Toast({ said }: { said: Said | undefined }) {
  const [gone, setGone] = useState<Said>()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (said === undefined || held) return
    const timer = setTimeout(() => setGone(said), LEAST_MS + MS_PER_CHARACTER * said.text.length)
    return () => clearTimeout(timer)
  }, [said, held])
  // It would cover the ways to sign in.
  const signingIn = useValue(prompts, () => undefined) !== undefined
  useEffect(() => {
    if (signingIn) setGone(said)
  }, [signingIn, said])
  const shown = said !== undefined && said !== gone && said.text !== ''
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-18 z-menu flex justify-center px-4"
    >
      {shown ? (
        <div
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          className="pointer-events-auto flex max-w-xl items-start gap-2 rounded-lg border border-edge bg-raised py-2 pr-2 pl-4 text-sm shadow-lg"
        >
          <p className="min-w-0 py-0.5 [overflow-wrap:anywhere]">{said.text}</p>
          <IconButton
            label="Dismiss"
            size="size-7"
            onClick={() => {
              setHeld(false)
              setGone(said)
            }}
          >
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ) : null}
    </div>
  )
}
