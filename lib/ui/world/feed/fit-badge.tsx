import type { Compatibility } from '../../../protocol/world-compatibility.ts'

const FITS = {
  match: { word: 'Match', color: 'var(--color-verdigris)', share: 1 },
  partial: { word: 'Partial', color: 'var(--color-weld)', share: 0.5 },
  none: { word: 'No match', color: 'var(--color-edge)', share: 0 },
} as const

/** How well a connector suits a World: a word with a full, half full or empty ring. */
export function FitBadge({ fit }: { fit: Compatibility['fit'] }) {
  const { word, color, share } = FITS[fit]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-xs">
      <svg viewBox="0 0 12 12" className="size-3 shrink-0" aria-hidden="true" fill="none" stroke={color}>
        <circle cx="6" cy="6" r="4.75" strokeWidth="1.5" />
        {share === 1 ? <circle cx="6" cy="6" r="3" fill={color} stroke="none" /> : null}
        {share === 0.5 ? <path d="M6 3a3 3 0 0 1 0 6z" fill={color} stroke="none" /> : null}
      </svg>
      {word}
    </span>
  )
}
