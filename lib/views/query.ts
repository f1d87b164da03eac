/** The query of a page's address, as Next passes it. */
export type QueryParams = Readonly<Record<string, string | string[] | undefined>>

/** The address of a page with those parameters that have a value. */
export function pageHref(
  path: string,
  params: Readonly<Record<string, string | number | false | undefined>>,
): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || value === false || value === '' ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

/** The first value of a query parameter, which may be repeated. */
export function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
