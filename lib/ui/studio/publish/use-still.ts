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
/** Between attempts: the list of what is published follows the indexer, which is a moment behind the chain. */
const PAUSE_MS = 1_500
const ATTEMPTS = 40

/** A picture of the World of a piece, taken before it is published. */
export interface Still {
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
  return { picture, url, taking, problem, onOffer, take: isOffered ? () => void take() : undefined }
}

/** The picture taken last of each piece that is not stored yet, by its name. */
const waiting = new Map<string, Blob>()

/**
 * Stores the picture of a piece once the site lists what was just published, in place of one that still waits. Without
 * success the picture is drawn from the numbers.
 *
 * @param contentHash Of the connector: an earlier one of the name keeps its picture.
 */
export async function storeStill(name: string, contentHash: Hash, picture: Blob): Promise<void> {
  waiting.set(name, picture)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    if (waiting.get(name) !== picture) return
    try {
      const [connector] = await readEntities([{ kind: 'connector', name }])
      if (connector?.address === undefined || connector.contentHash !== contentHash) continue
      await sendStill(name, picture)
      return
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return
    }
  }
}

/** Stores the picture of a published piece of the account. @throws Refusal, NoAnswer */
export async function sendStill(name: string, picture: Blob): Promise<void> {
  const form = new FormData()
  form.set('picture', picture, 'still.png')
  await ask('PUT', `/studio/api/pieces/${encodeURIComponent(name)}/still`, form)
}
