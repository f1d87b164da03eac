import { type Query, readRunLink } from '../domain/run-link.ts'

/** Whether an address is that of a run's page and does not say which run: the page then explains what is wrong. */
export function isBrokenRunLink(url: string): boolean {
  // Not every address of a request is a URL.
  if (!url.startsWith('/run/')) return false
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [, name] = /^\/run\/([^/]+)$/.exec(pathname) ?? []
  return name !== undefined && !readRunLink(decodeURIComponent(name), queryOf(searchParams)).ok
}

/** A query in the form in which pages get it. */
export function queryOf(params: URLSearchParams): Query {
  return Object.fromEntries(
    [...new Set(params.keys())].map((key) => {
      const values = params.getAll(key)
      return [key, values.length === 1 ? values[0] : values]
    }),
  )
}
