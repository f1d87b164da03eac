import type { Compatibility } from '#lib/protocol/world-compatibility.ts'
import { Ring } from '#lib/ui/components/ring.tsx'

const FITS = {
  match: { word: 'Fits', color: 'var(--color-verdigris)', fill: 'whole' },
  partial: { word: 'Fits in part', color: 'var(--color-weld)', fill: 'half' },
  none: { word: 'Does not fit', color: 'var(--color-edge)', fill: undefined },
} as const

/** Fit of a connector for a World: a word with a full, half full or empty ring. */
export function FitBadge({ fit }: { fit: Compatibility['fit'] }) {
  const { word, color, fill } = FITS[fit]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-xs">
      <Ring color={color} fill={fill} />
      {word}
    </span>
  )
}
