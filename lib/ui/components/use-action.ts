'use client'

import { useState } from 'react'

/**
 * Runs the requests of a form's or a list's buttons, one at a time.
 *
 * @param messageOf The message shown for an error.
 */
export function useAction(messageOf: (error: unknown) => string) {
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string>()
  return {
    busy,
    /** Message of the last request: an error's, or the one that it returned. */
    message,
    setMessage,
    /** Runs a request unless one is pending; a string that it returns becomes the message. */
    async act(work: () => Promise<unknown>): Promise<void> {
      if (busy) return
      setBusy(true)
      setMessage(undefined)
      try {
        const result = await work()
        if (typeof result === 'string') setMessage(result)
      } catch (error) {
        setMessage(messageOf(error))
      } finally {
        setBusy(false)
      }
    },
  }
}
