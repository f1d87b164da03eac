'use client'

import { useState } from 'react'

/**
 * Runs the requests of a form's or a list's buttons, one at a time.
 *
 * @param messageOf The message shown for an error.
 */
export function useAction(messageOf: (error: unknown) => string) {
  const [busy, setBusy] = useState(false)
  const [said, say] = useState<string>()
  return {
    busy,
    /** Message of the last request: an error's, or the one that it returned. */
    said,
    say,
    /** Runs a request unless one is pending; a string that it returns becomes the message. */
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
