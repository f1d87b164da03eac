import { type RunLink, runHref } from './run-link.ts'
import { type SlotChoice, writeSlots } from './world-slots.ts'

/**
 * Page of a World; with a run, the same World drawing that run for everybody who follows it.
 *
 * @param beside Slug of another World that draws the same run.
 * @param slots What was chosen to feed its slots with.
 */
export function worldPageHref(
  slug: string,
  run?: Pick<RunLink, 'connector' | 'count' | 'dynamicRi'>,
  beside?: string,
  slots: readonly SlotChoice[] = [],
): string {
  const page = `/worlds/${encodeURIComponent(slug)}`
  if (run === undefined) return page
  const { connector, count, dynamicRi } = run
  const query = runHref({ connector, count, dynamicRi }).split('?', 2)[1]
  const other = beside === undefined ? '' : `&beside=${encodeURIComponent(beside)}`
  const fed = slots.length === 0 ? '' : `&slots=${writeSlots(slots)}`
  return `${page}?connector=${encodeURIComponent(connector)}&${query}${fed}${other}`
}
