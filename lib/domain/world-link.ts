import { type RunLink, runHref } from './run-link.ts'

/** Page of a World; with a run, the same World drawing that run for everybody who follows it. */
export function worldPageHref(
  slug: string,
  run?: Pick<RunLink, 'connector' | 'count' | 'dynamicRi'>,
): string {
  const page = `/worlds/${encodeURIComponent(slug)}`
  if (run === undefined) return page
  const { connector, count, dynamicRi } = run
  const query = runHref({ connector, count, dynamicRi }).split('?', 2)[1]
  return `${page}?connector=${encodeURIComponent(connector)}&${query}`
}
