import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { WorldCaptureError } from '#lib/core/worlds/sdk/capture.ts'
import { storedPicture } from '#lib/ui/world/stored-picture.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'

/** Until a World shows more than its beginning. */
const FIRST_MOMENT_MS = 2_500
const FIRST_ATTEMPTS = 12
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
  /** True where the picture is published with the piece. */
  readonly isIncluded: boolean
  readonly setIncluded: (isIncluded: boolean) => void
}

/** Takes a picture of a World soon after it begins, and another one whenever that is asked for. */
export function useStill(isIncluded: boolean, setIncluded: Still['setIncluded']): Still {
  const [offer, setOffer] = useState<CaptureOffer>()
  const [{ picture, taking, problem }, setState] = useState<{
    readonly picture?: Blob
    readonly taking: boolean
    readonly problem: string
  }>({ taking: false, problem: '' })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (picture === undefined) return
    const objectUrl = URL.createObjectURL(picture)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
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
    ...{ picture: isIncluded ? picture : undefined, url, taking, problem, onOffer, isIncluded, setIncluded },
    take: isOffered ? () => void take() : undefined,
  }
}
