/**
 * Whether a request comes from a page of our own, on evidence: what browsers say in headers that scripts cannot set.
 * Without any evidence the answer is no. A cookie proves who somebody is, not that they meant to send the request.
 *
 * @param siteOrigin Where people reach the site, for instance `https://weft.example`.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>, siteOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null) {
    if (site !== 'same-origin') return false
    // The site may have other names than the configured one, for instance 127.0.0.1 beside localhost.
    const host = headers.get('host') || undefined
    return (
      origin === null || origin === siteOrigin || (host !== undefined && URL.parse(origin)?.host === host)
    )
  }
  // Browsers say nothing of the kind to a site without TLS that is not on the same machine.
  if (origin !== null) return origin === siteOrigin
  return URL.parse(headers.get('referer') ?? '')?.origin === siteOrigin
}
