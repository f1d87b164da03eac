/** The query of a page's address, as Next passes it. */
export type QueryParams = Readonly<Record<string, string | string[] | undefined>>

/** The first value of a query parameter, which may be repeated. */
export function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
