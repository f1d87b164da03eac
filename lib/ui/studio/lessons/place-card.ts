/** Pixels of the window. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const GAP = 16
const EDGE = 12

/**
 * Places a card beside the control it is about, else in a corner: inside the window, over neither the control nor the
 * focus, and if possible not over the results.
 */
export function placeCard(
  card: Size,
  window: Size,
  target: Box | undefined,
  focused: Box | undefined,
  watched: Box | undefined,
): { readonly left: number; readonly top: number } {
  const [right, bottom] = [window.width - card.width - EDGE, window.height - card.height - EDGE]
  const inside = (value: number, most: number) => Math.max(EDGE, Math.min(value, most))
  const corners = [
    { left: right, top: bottom },
    { left: right, top: EDGE },
    { left: EDGE, top: bottom },
    { left: EDGE, top: EDGE },
  ]
  const beside =
    target === undefined || !overlap(target, { left: 0, top: 0, ...window })
      ? []
      : [
          { left: target.left + target.width + GAP, top: inside(target.top, bottom) },
          { left: inside(target.left, right), top: target.top + target.height + GAP },
          {
            left: inside(target.left + target.width - card.width, right),
            top: target.top + target.height + GAP,
          },
          { left: target.left - card.width - GAP, top: inside(target.top, bottom) },
          { left: inside(target.left, right), top: target.top - card.height - GAP },
        ]
  const fits = ({ left, top }: { left: number; top: number }) =>
    left >= EDGE && top >= EDGE && left <= right && top <= bottom
  const clear = (at: { left: number; top: number }, boxes: readonly (Box | undefined)[]) =>
    boxes.every((box) => box === undefined || !overlap(box, { ...at, ...card }))
  const possible = [...beside, ...corners].filter((at) => fits(at) && clear(at, [target, focused]))
  return (
    possible.find((at) => clear(at, [watched])) ??
    possible[0] ?? { left: inside(right, right), top: inside(bottom, bottom) }
  )
}

function overlap(a: Box, b: Box): boolean {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  )
}
