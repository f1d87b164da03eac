import { counted } from '#lib/browser/format.ts'
import type { PieceCounts } from '#lib/views/piece-counts.ts'

/** Words of tiles and pages for likes and plays; empty without any. */
export function countWords({ likes, plays }: PieceCounts): readonly string[] {
  return [...(likes > 0 ? [counted(likes, 'like')] : []), ...(plays > 0 ? [counted(plays, 'play')] : [])]
}
