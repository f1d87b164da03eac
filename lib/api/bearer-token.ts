/**
 * The credentials of an `Authorization` header.
 *
 * @returns undefined without a header; `''` for a header that is not a bearer token, which proves nobody.
 */
export function bearerToken(headers: Pick<Headers, 'get'>): string | undefined {
  const header = headers.get('authorization')
  if (header === null) return undefined
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1] ?? ''
}
