import type { Part } from '#lib/engine/sound/notes.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import type { Window } from './window.ts'

/** Kinds of pictures; each is drawn on one canvas. */
export const PICTURES = ['lines', 'roll', 'heat'] as const
export type PictureKind = (typeof PICTURES)[number]

/** Contents of a picture. The same object is the same picture: it is not drawn again. */
export interface Scene {
  readonly kind: PictureKind
  readonly streams: readonly Stream[]
  /** The pinned stream of each; undefined while nothing is pinned. */
  readonly before: readonly (readonly number[] | undefined)[] | undefined
  readonly window: Window
  /** Values at the lower and upper edge, for each stream. */
  readonly ranges: readonly (readonly [number, number])[]
  /** Lines in one plot, instead of one below another. */
  readonly together: boolean
  /** Index of the chosen one in `streams`. */
  readonly chosen: number
  /** Notes of each stream; in piano rolls only. */
  readonly parts?: readonly RollPart[]
}

/** The notes of a stream, as it sounds. */
export interface RollPart extends Omit<Part, 'pan'> {
  readonly isMuted: boolean
}

/** Resolved CSS colours. */
export interface Palette {
  readonly threads: readonly string[]
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly raised: string
  readonly sunk: string
}

/** A part of a canvas, in CSS pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Size = Pick<Box, 'width' | 'height'>

/** Room for the path and its numbers above each plot. */
export const HEAD = 20
/** Room for the numbers of steps below all plots. */
export const AXIS = 18
export const EDGE = 6
const KEYBOARD = 34

/** Left of the first step. */
export function insetOf(kind: PictureKind): number {
  return kind === 'roll' ? KEYBOARD : EDGE
}

/** Whether each stream has a plot of its own. */
export function isApart({ kind, together }: Pick<Scene, 'kind' | 'together'>): boolean {
  return kind === 'lines' && !together
}

/** Where steps are drawn: everything but the axis and the edges. */
export function plotOf(kind: PictureKind, { width, height }: Size): Box {
  const left = insetOf(kind)
  return { left, top: 0, width: width - left - EDGE, height: height - AXIS }
}

/** The plot of one stream, without its head. */
export function laneOf(index: number, lanes: number, plot: Box): Box {
  const height = plot.height / lanes
  return { ...plot, top: plot.top + index * height + HEAD, height: Math.max(1, height - HEAD - EDGE) }
}

/** From 0 at the top to 1 at the bottom. */
export function heightOf(value: number, [low, high]: readonly [number, number]): number {
  return 1 - (value - low) / (high - low)
}
