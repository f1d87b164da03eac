import { type RunLink, runHref } from './run-link.ts'

/**
 * Page of a World; with a run, the same World drawing that run for everybody who follows it.
 *
 * @param beside Slug of another World that draws the same run.
 */
export function worldPageHref(
  slug: string,
  run?: Pick<RunLink, 'connector' | 'count' | 'dynamicRi'>,
  beside?: string,
): string {
  const page = `/worlds/${encodeURIComponent(slug)}`
  if (run === undefined) return page
  const { connector, count, dynamicRi } = run
  const query = runHref({ connector, count, dynamicRi }).split('?', 2)[1]
  const other = beside === undefined ? '' : `&beside=${encodeURIComponent(beside)}`
  return `${page}?connector=${encodeURIComponent(connector)}&${query}${other}`
}
