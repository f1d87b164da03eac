/** Contents of a picture. Plain data, sent to a thread; the view that makes it bounds every list. */
export interface PictureScene {
  readonly size: PictureSize
  /** Set large on a card; tiles carry no words. */
  readonly title: string
  /** Kind of the subject, in a few words. */
  readonly caption: string
  /** Chooses the colours, so that neighbours differ: the same text, the same colours. */
  readonly seed: string
  readonly figure: Figure
}

export type Figure =
  /** A path a stream, laid out like a score. */
  | { readonly kind: 'threads'; readonly streams: readonly (readonly number[])[] }
  /** Answers of a condition, row by row; undefined where it gives none. */
  | { readonly kind: 'answers'; readonly rows: readonly (readonly (boolean | undefined)[])[] }
  /** There are no numbers: a line of dots that ends. */
  | { readonly kind: 'bare' }

/** Width and height in pixels: of a link's preview, and of a tile in a list. */
export const PICTURE_SIZES = { card: [1200, 630], tile: [480, 270] } as const

export type PictureSize = keyof typeof PICTURE_SIZES

/** Paths and steps that are drawn on a card; tiles show half as many steps. */
export const DRAWN = { streams: 6, steps: 64 } as const
