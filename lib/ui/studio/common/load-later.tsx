'use client'

import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** A part of the studio whose code is loaded when it is first needed. */
export interface LaterPart<P> {
  load(): Promise<ComponentType<P>>
  loaded(): ComponentType<P> | undefined
}

export function laterPart<P>(load: () => Promise<ComponentType<P>>): LaterPart<P> {
  let part: ComponentType<P> | undefined
  return {
    async load() {
      part = await load()
      return part
    },
    loaded: () => part,
  }
}

/**
 * Renders a part once its code is loaded. Unlike `lazy`, it renders `instead` when loading fails, and retries when
 * the connection is back.
 *
 * @param opening Shown while it loads.
 */
export function LoadLater<P extends object>({
  part,
  props,
  opening,
  instead: Instead = Missing,
}: {
  part: LaterPart<P>
  props: P
  opening: ReactNode
  instead?: ComponentType<P>
}) {
  const [Part, setPart] = useState<ComponentType<P> | undefined>(part.loaded)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (part.loaded() !== undefined) return
    let left = false
    const attempt = () =>
      part.load().then(
        (loaded) => left || setPart(() => loaded),
        () => left || setFailed(true),
      )
    void attempt()
    window.addEventListener('online', attempt)
    return () => {
      left = true
      window.removeEventListener('online', attempt)
    }
  }, [part])
  if (Part !== undefined) return <Part {...props} />
  if (failed) return <Instead {...props} />
  return typeof opening === 'string' ? <p className="pb-6 text-ink-soft">{opening}</p> : opening
}

function Missing() {
  return (
    <p role="status" className="pb-6 text-sm">
      This part cannot be loaded now. Your work is kept; it opens when the connection is back, or after a
      reload.
    </p>
  )
}
