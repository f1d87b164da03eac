'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { createValue, type Value } from '#lib/browser/value.ts'
import type { Source } from '#lib/studio/sound/transport.ts'
import type { CaptureOffer } from '#lib/ui/world/use-capture.ts'

/** A run and how it sounds. */
export type HeardRun = Pick<Source, 'streams' | 'sound'>

interface StageOffer {
  readonly offer?: CaptureOffer | undefined
  /** Values and sound of the player, with its knobs as they are turned; undefined until it has run. */
  readonly run?: HeardRun | undefined
  /** Takes the piece with its knobs as they are turned; undefined while they are as published. */
  readonly remix?: (() => void) | undefined
}

const NOTHING: StageOffer = {}
const NO_STAGE: Value<StageOffer> = {
  getState: () => NOTHING,
  setState: () => {},
  subscribe: () => () => {},
}
const OfferContext = createContext<Value<StageOffer>>(NO_STAGE)

/** Around the page of a piece: what can be captured, saved and remixed of its stage. */
export function StageOfferProvider({ children }: { children: ReactNode }) {
  const [offer] = useState(() => createValue(NOTHING))
  return <OfferContext value={offer}>{children}</OfferContext>
}

/** Outside the page of a piece there is none, and nothing is stored. */
export function useStageOffer(): Value<StageOffer> {
  return useContext(OfferContext)
}
