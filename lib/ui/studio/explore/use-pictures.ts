import { useCallback, useEffect, useRef, useState } from 'react'
import type { Sheet, Variation } from '#lib/studio/explore/messages.ts'

/** Worlds that run at the same time. */
const MAX_ALIVE = 6

/** Pictures that a World drew of the variations of a sheet, one after the other. */
interface Pictures {
  /** Address of the picture of a variation; undefined without one. */
  readonly of: (variation: Variation) => string | undefined
  /** Whether the World runs for a variation now: for the one in front, and for those without a picture. */
  readonly isAlive: (variation: Variation) => boolean
  /** Whether the World has yet to draw a variation. */
  readonly isWaiting: (variation: Variation) => boolean
  /** Takes the picture of a variation; undefined where its World has none to give. */
  readonly onPicture: (variation: Variation, picture: Blob | undefined) => void
}

/**
 * @param world Id of the World; undefined while there is none.
 * @param shown The variations of the sheet in the order in which they are shown, and drawn.
 * @param front The variation in front.
 * @param isRoomy Whether the pictures are large enough for a World.
 */
export function usePictures(
  world: string | undefined,
  sheet: Sheet | undefined,
  shown: readonly Variation[],
  front: Variation | undefined,
  isRoomy: boolean,
): Pictures {
  // An empty address where the World has no picture to give.
  const [pictures, setPictures] = useState<ReadonlyMap<Variation, string>>(new Map())
  const addresses = useRef<string[]>([])
  // Of another sheet or World nothing is needed any more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are what the pictures are of
  useEffect(() => {
    setPictures(new Map())
    return () => {
      for (const address of addresses.current.splice(0)) URL.revokeObjectURL(address)
    }
  }, [world, sheet])
  const onPicture = useCallback((variation: Variation, picture: Blob | undefined) => {
    const address = picture === undefined ? '' : URL.createObjectURL(picture)
    if (address !== '') addresses.current.push(address)
    setPictures((before) => new Map(before).set(variation, address))
  }, [])
  const alive = new Set<Variation>()
  const isDrawing = world !== undefined && isRoomy
  if (isDrawing) {
    if (front) alive.add(front)
    for (const variation of shown) {
      if (alive.size === MAX_ALIVE) break
      if (!pictures.has(variation)) alive.add(variation)
    }
  }
  return {
    of: (variation) => pictures.get(variation) || undefined,
    isAlive: (variation) => alive.has(variation),
    isWaiting: (variation) => isDrawing && !pictures.has(variation),
    onPicture,
  }
}
