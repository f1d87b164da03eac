'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Refusal } from '#lib/browser/requests.ts'
import { siteClock } from '#lib/browser/site-clock.ts'
import type { WorldPreviewAnswer } from '#lib/server/operations/studio/worlds.ts'
import { signedInAccount } from '#lib/ui/wallet/prompt.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { errorLines } from '#lib/ui/world/error-messages.ts'
import type { PreviewView } from '#lib/views/world.ts'
import type { Chosen } from './bundle/choose.ts'
import { choiceErrorLines, packBundle } from './bundle/from-input.ts'
import type { Work } from './drop-zone.tsx'
import { firstManifest } from './manifest-text.ts'
import { type Problem, readProblem, refusalLines } from './problems.ts'
import { endPreview, fetchPreview, publishBundle, startPreview } from './requests.ts'

/** A valid bundle, running. */
export interface Previewed {
  readonly answer: WorldPreviewAnswer
  readonly view: PreviewView
  readonly bundle: Blob
  /** Its manifest, where it is another one than the files have. */
  readonly manifest: string | undefined
}

export type Publishing =
  | { readonly at: 'not yet' }
  | { readonly at: 'under way'; readonly share: number }
  | { readonly at: 'refused'; readonly lines: readonly string[] }
  | { readonly at: 'done'; readonly slug: string }

/**
 * From a chosen folder or ZIP over its preview to a published World.
 *
 * @param keepsLast Whether the last valid preview stays until the next one runs.
 */
export function useUpload({ keepsLast = false } = {}) {
  const session = useSession()
  const signedIn = session.status === 'signed_in'
  const [chosen, setChosen] = useState<Chosen>()
  const [manifest, setManifest] = useState<string>()
  const [work, setWork] = useState<Work>()
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const [previewed, setPreviewed] = useState<Previewed>()
  const [ended, setEnded] = useState(false)
  const [publishing, setPublishing] = useState<Publishing>({ at: 'not yet' })
  /** The manifest that was tried last, of the files that are chosen now. */
  const [tried, setTried] = useState<string>()
  const running = useRef<AbortController | undefined>(undefined)

  const drop = useEffectEvent(() => {
    running.current?.abort()
    if (previewed) endPreview(previewed.answer.id)
  })
  useEffect(() => {
    const leave = () => drop()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  const id = previewed?.answer.id
  const endsAt = previewed?.answer.expires_at
  useEffect(() => {
    if (id === undefined || endsAt === undefined) return
    setEnded(false)
    const timer = setTimeout(() => setEnded(true), Math.max(0, Date.parse(endsAt) - siteClock.now()))
    return () => clearTimeout(timer)
  }, [id, endsAt])

  const attempt = async (next: Chosen, text: string | undefined, signal: AbortSignal): Promise<void> => {
    setProblems([])
    setPublishing({ at: 'not yet' })
    const last = previewed
    if (!keepsLast) {
      if (last) endPreview(last.answer.id)
      setPreviewed(undefined)
    }
    setTried(text)
    setWork({ doing: 'packing', share: 0 })
    const bundle = await packBundle(next, text, (share) => setWork({ doing: 'packing', share }))
    signal.throwIfAborted()
    const answer = await startPreview(
      bundle,
      signedIn,
      (share) => setWork(share < 1 ? { doing: 'sending', share } : { doing: 'checking' }),
      signal,
    )
    setWork({ doing: 'opening' })
    const view = await fetchPreview(answer.id)
    if (signal.aborted) {
      endPreview(answer.id)
      return
    }
    setPreviewed({ answer, view, bundle, manifest: text })
    if (keepsLast && last) endPreview(last.answer.id)
  }

  const run = (act: (signal: AbortSignal) => Promise<void>) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    act(stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setProblems(problemsOf(error))
      })
      .finally(() => {
        if (running.current === stop) setWork(undefined)
      })
  }

  return {
    chosen,
    /** The manifest as it is edited. */
    manifest: manifest ?? chosen?.manifest ?? (chosen && firstManifest(chosen.name, chosen.files)),
    changed: manifest !== tried,
    work,
    problems,
    previewed,
    ended,
    publishing,
    signedIn,
    setManifest,
    choose: (choosing: Promise<Chosen>) =>
      run(async (signal) => {
        setProblems([])
        setWork({ doing: 'reading' })
        const next = await choosing
        signal.throwIfAborted()
        setChosen(next)
        setManifest(undefined)
        await attempt(next, undefined, signal)
      }),
    tryAgain: () => {
      // Files without a manifest are tried with the one that the form shows.
      const text =
        manifest ??
        (chosen?.manifest === undefined && chosen ? firstManifest(chosen.name, chosen.files) : undefined)
      if (chosen) run((signal) => attempt(chosen, text, signal))
    },
    publish: async () => {
      if (previewed === undefined) return
      if ((await signedInAccount()) === undefined) return
      setPublishing({ at: 'under way', share: 0 })
      publishBundle(previewed.bundle, (share) => setPublishing({ at: 'under way', share })).then(
        (slug) => setPublishing({ at: 'done', slug }),
        (error: unknown) => setPublishing({ at: 'refused', lines: errorLines(error) }),
      )
    },
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof Refusal && error.status !== 401 && error.status !== 413) {
    return refusalLines(error.message || `The site refused it (${error.status}).`).map(readProblem)
  }
  return choiceErrorLines(error).map((text) => ({ file: undefined, place: undefined, text }))
}
