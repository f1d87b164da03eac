'use client'

import { useState } from 'react'

/**
 * What the buttons of a form or a list do, one at a time.
 *
 * @param messageOf What is said of an error.
 */
export function useAction(messageOf: (error: unknown) => string) {
  const [busy, setBusy] = useState(false)
  const [said, say] = useState<string>()
  return {
    busy,
    /** The outcome of the last one. */
    said,
    say,
    /** Runs it, unless another one runs. What it returns is said, if that is a text. */
    async act(work: () => Promise<unknown>): Promise<void> {
      if (busy) return
      setBusy(true)
      say(undefined)
      try {
        const done = await work()
        if (typeof done === 'string') say(done)
      } catch (error) {
        say(messageOf(error))
      } finally {
        setBusy(false)
      }
    },
  }
}
