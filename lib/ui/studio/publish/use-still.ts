import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { ask, Refusal } from '#lib/browser/requests.ts'
import { WorldCaptureError } from '#lib/core/worlds/sdk/capture.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { readEntities } from '#lib/studio/library/live-library.ts'
import { storedPicture } from '#lib/ui/world/stored-picture.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'

/** Until a World shows more than its beginning. */
const FIRST_MOMENT_MS = 2_500
const FIRST_ATTEMPTS = 12
/** Between attempts: drafts are saved one after the other, and what is published is listed a moment behind the chain. */
const PAUSE_MS = 1_500
const ATTEMPTS = 40

/** A picture of the World of a piece, taken before it is published. */
export interface Still {
  /** Undefined without one, and where the author wants none. */
  readonly picture: Blob | undefined
  /** Address of the picture in this page; undefined without one. */
  readonly url: string | undefined
  readonly taking: boolean
  /** Why there is none, in a sentence; empty for no reason. */
  readonly problem: string
  /** For the frame of the World. */
  readonly onOffer: (offer: CaptureOffer | undefined) => void
  /** Takes another moment; undefined while the World offers no picture. */
  readonly take: (() => void) | undefined
  /** Whether the author wants it with the piece. */
  readonly wanted: boolean
  readonly want: (wanted: boolean) => void
}

/** Takes a picture of a World soon after it begins, and another one whenever that is asked for. */
export function useStill(): Still {
  const [offer, setOffer] = useState<CaptureOffer>()
  const [{ picture, taking, problem }, setState] = useState<{
    readonly picture?: Blob
    readonly taking: boolean
    readonly problem: string
  }>({ taking: false, problem: '' })
  const [url, setUrl] = useState<string>()
  const [wanted, want] = useState(true)
  useEffect(() => {
    if (picture === undefined) return
    const made = URL.createObjectURL(picture)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [picture])
  const isOffered = offer?.captures.includes('picture') === true
  const take = async () => {
    if (offer === undefined || taking) return
    setState((before) => ({ ...before, taking: true, problem: '' }))
    try {
      setState({ picture: await storedPicture(await offer.capture('picture')), taking: false, problem: '' })
    } catch (error) {
      const reason = error instanceof WorldCaptureError ? error.message : 'It cannot be read.'
      setState((before) => ({ ...before, taking: false, problem: `No picture was taken: ${reason}` }))
    }
  }
  const takeFirst = useEffectEvent(() => void take())
  const isMissing = isOffered && picture === undefined
  useEffect(() => {
    if (!isMissing) return
    // A busy machine may not answer the first time.
    let left = FIRST_ATTEMPTS
    const timer = setInterval(() => {
      if (left-- === 0) clearInterval(timer)
      else takeFirst()
    }, FIRST_MOMENT_MS)
    return () => clearInterval(timer)
  }, [isMissing])
  const onOffer = useCallback((next: CaptureOffer | undefined) => setOffer(() => next), [])
  return {
    ...{ picture: wanted ? picture : undefined, url, taking, problem, onOffer, wanted, want },
    take: isOffered ? () => void take() : undefined,
  }
}

/** The picture taken last of each piece that is not stored yet, by its name. */
const waiting = new Map<string, Blob>()
/** The picture that `storeStill` stored last of each piece, by its name. */
const stored = new Map<string, Blob>()

/**
 * Stores the picture of a piece once the site has its draft, or lists what was just published, in place of one that still
 * waits. Called again with a picture that is stored, it does nothing. Without success the picture is drawn from the numbers.
 *
 * @param contentHash Of the connector: an earlier one of the name keeps its picture.
 */
export async function storeStill(name: string, contentHash: Hash, picture: Blob): Promise<void> {
  if (stored.get(name) === picture || waiting.get(name) === picture) return
  waiting.set(name, picture)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    if (waiting.get(name) !== picture) return
    try {
      const [connector] = await readEntities([{ kind: 'connector', name }])
      if (connector?.contentHash !== contentHash) continue
      await sendStill(name, picture)
      stored.set(name, picture)
      // The author may have declined it while it was sent.
      if (!waiting.has(name)) await takeBackStill(name)
      break
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) break
    }
  }
  if (waiting.get(name) === picture) waiting.delete(name)
}

/** Undoes `storeStill`, also while its picture waits. Does nothing for a piece whose picture was stored elsewhere. */
export async function takeBackStill(name: string): Promise<void> {
  const picture = stored.get(name)
  waiting.delete(name)
  if (picture === undefined) return
  // Else the next attempt takes it back.
  await removeStill(name).catch(() => stored.set(name, picture))
}

/** Stores the picture of a connector of the account. @throws Refusal, NoAnswer */
export async function sendStill(name: string, picture: Blob): Promise<void> {
  const form = new FormData()
  form.set('picture', picture, 'still.png')
  await ask('PUT', addressOf(name), form)
}

/** Removes the picture of a connector of the account, also one that waits to be stored. @throws Refusal, NoAnswer */
export async function removeStill(name: string): Promise<void> {
  waiting.delete(name)
  stored.delete(name)
  await ask('DELETE', addressOf(name))
}

function addressOf(name: string): string {
  return `/studio/api/pieces/${encodeURIComponent(name)}/still`
}
