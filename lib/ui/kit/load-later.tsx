'use client'

import {
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react'
import { Boundary, NotLoaded } from './boundary.tsx'
import { importAgain } from './missing-chunk.ts'

/** A part of a page whose code is loaded when it is first needed. */
export interface LaterPart<P> {
  /** As the subject of a sentence: `The graph`. */
  readonly what: string
  /** Whether a reload keeps the reader's work. */
  readonly kept: boolean
  load(): Promise<ComponentType<P>>
  loaded(): ComponentType<P> | undefined
  /** For React, which remembers of each attempt that it failed. */
  lazy(attempt: number): LazyExoticComponent<ComponentType<P>>
}

/**
 * @param what The part, as the subject of a sentence.
 * @param kept Whether a reload keeps the reader's work.
 */
export function laterPart<P>(what: string, load: () => Promise<ComponentType<P>>, kept = true): LaterPart<P> {
  let part: ComponentType<P> | undefined
  const attempts: LazyExoticComponent<ComponentType<P>>[] = []
  const again = async () => {
    part = await importAgain(load)
    return part
  }
  return {
    what,
    kept,
    load: again,
    loaded: () => part,
    lazy(attempt) {
      attempts[attempt] ??= lazy(async () => ({ default: await again() }))
      return attempts[attempt]
    },
  }
}

/** Loads parts before they are shown. Where one does not come, its place says so. */
export function loadAhead(...parts: readonly { load(): Promise<unknown> }[]): void {
  for (const part of parts) part.load().catch(() => {})
}

/** First pause between automatic attempts; each later one is twice as long. */
const FIRST_PAUSE_MS = 4_000

/**
 * Renders a part once its code is loaded, in this browser. Where the code does not come, it says so, and retries: when
 * asked, when the connection is back, and now and then.
 *
 * @param opening Shown while it loads.
 * @param instead Does without the code until it comes.
 */
export function LoadLater<P extends object>({
  part,
  props,
  opening,
  instead: Instead,
}: {
  part: LaterPart<P>
  props: P
  opening: ReactNode
  instead?: ComponentType<P>
}) {
  const [Part, setPart] = useState<ComponentType<P> | undefined>(part.loaded)
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads again
  useEffect(() => {
    if (part.loaded() !== undefined) return
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let pause = FIRST_PAUSE_MS
    const load = () =>
      part.load().then(
        (loaded) => left || setPart(() => loaded),
        (error: unknown) => {
          if (left) return
          setFailure({ error })
          clearTimeout(timer)
          timer = setTimeout(load, pause)
          pause *= 2
        },
      )
    void load()
    window.addEventListener('online', load)
    return () => {
      left = true
      clearTimeout(timer)
      window.removeEventListener('online', load)
    }
  }, [part, attempt])
  if (Part !== undefined) {
    return (
      <Boundary what={part.what}>
        <Part {...props} />
      </Boundary>
    )
  }
  if (failure !== undefined) {
    if (Instead !== undefined) return <Instead {...props} />
    return (
      <NotLoaded
        what={part.what}
        kept={part.kept}
        error={failure.error}
        onRetry={() => setAttempt(attempt + 1)}
      />
    )
  }
  return typeof opening === 'string' ? <p className="pb-6 text-ink-soft">{opening}</p> : opening
}

/** A part that the server renders too; its code is loaded beside the page. */
export function ServedLater<P extends object>({
  part,
  props,
  opening,
}: {
  part: LaterPart<P>
  props: P
  opening?: ReactNode
}) {
  const [attempt, setAttempt] = useState(0)
  const Part = part.lazy(attempt)
  return (
    <Boundary what={part.what} onRetry={() => setAttempt(attempt + 1)}>
      <Suspense fallback={opening}>
        <Part {...(props as P & { readonly [key: string]: unknown })} />
      </Suspense>
    </Boundary>
  )
}
