/**
 * The canonical path of a page that was requested with a trailing slash; undefined where the path is canonical, and for
 * paths that a browser would read as another host.
 *
 * @param path Without the query, as it was sent.
 */
export function withoutTrailingSlash(path: string): string | undefined {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  const bare = path.slice(0, end)
  return end < path.length && /^\/[^/\\]/.test(bare) && !bare.includes('//') ? bare : undefined
}
