'use client'

import { Component, type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { COPY_REFUSED, copyText } from './clipboard.ts'
import { isMissingChunk, isOutdated } from './missing-chunk.ts'

interface BoundaryProps {
  /** Name of the contents, as the subject of a sentence: `The graph`. */
  what: string
  /** Subject of the contents; once that is another, they render again. */
  of?: unknown
  /** Called before what is inside renders again. */
  onRetry?: () => void
  children: ReactNode
}

/** Keeps an error small: a sentence stands in the place of the part that throws, and everything around it goes on. */
export class Boundary extends Component<
  BoundaryProps,
  { readonly error?: unknown; readonly thrown: boolean }
> {
  override state = { thrown: false, error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { thrown: true, error }
  }

  override componentDidUpdate({ of }: BoundaryProps) {
    if (this.state.thrown && of !== this.props.of) this.setState({ thrown: false, error: undefined })
  }

  override render() {
    const { what, onRetry, children } = this.props
    const { thrown, error } = this.state
    if (!thrown) return children
    const retry = () => {
      onRetry?.()
      this.setState({ thrown: false, error: undefined })
    }
    return isMissingChunk(error) ? (
      <NotLoaded what={what} error={error} onRetry={retry} />
    ) : (
      <Broken what={what} error={error} onRetry={retry} />
    )
  }
}

function Broken({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  const [copied, setCopied] = useState('')
  const copy = async () => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    setCopied(
      (await copyText(`${text}\n${location.href}\n${navigator.userAgent}`)) ? 'Copied.' : COPY_REFUSED,
    )
  }
  return (
    <div role="alert" className="p-3 text-sm">
      <p>{what} broke. Everything else goes on, and nothing of yours is lost.</p>
      <p className="mono mt-1 text-ink-soft text-xs [overflow-wrap:anywhere]">
        {error instanceof Error ? error.message : String(error)}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
        <Button size="small" look="text" onClick={copy}>
          Copy the message
        </Button>
        <span role="status">{copied}</span>
      </div>
    </div>
  )
}

/** In place of a part whose code did not come. */
export function NotLoaded({
  what,
  kept = true,
  error,
  onRetry,
}: {
  what: string
  /** Whether a reload keeps the reader's work. */
  kept?: boolean
  error: unknown
  onRetry: () => void
}) {
  const [outdated, setOutdated] = useState(false)
  useEffect(() => {
    let left = false
    void isOutdated(error).then((is) => left || setOutdated(is))
    return () => {
      left = true
    }
  }, [error])
  return (
    <div role="status" className="pb-6 text-sm">
      <p>
        {outdated
          ? `A new version is here, and ${what.charAt(0).toLowerCase()}${what.slice(1)} comes with it. ${kept ? 'Your work is kept: reload' : 'Try again first; else reload'} the page.`
          : `${what} cannot be loaded now. ${kept ? 'Your work is kept; it' : 'What you chose stays; it'} opens when the connection is back.`}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
        {outdated ? (
          <Button size="small" look="filled" onClick={() => location.reload()}>
            Reload the page
          </Button>
        ) : null}
      </div>
    </div>
  )
}
