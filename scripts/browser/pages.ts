/** A page that scripts open. */
export interface SitePage {
  readonly title: string
  readonly path: string
}

/**
 * Every kind of public page once, by what the example network holds.
 *
 * @param origin Scheme, host and port of a running site.
 * @throws Error when the site has no example network.
 */
export async function publicPages(origin: string): Promise<SitePage[]> {
  const response = await fetch(`${origin}/chain/connector/${EXAMPLE}`)
  if (!response.ok)
    throw new Error(`${origin} has no connector ${EXAMPLE}: is its example network published?`)
  const { owner, format_hash: format } = (await response.json()) as { owner: string; format_hash: string }
  return [
    { title: 'home', path: '/' },
    { title: 'gallery', path: '/worlds' },
    { title: 'upload', path: '/worlds/upload' },
    { title: 'feed', path: '/feed' },
    { title: 'discover', path: '/discover' },
    { title: 'search', path: '/search?q=weave' },
    { title: 'connector', path: `/connectors/${EXAMPLE}` },
    { title: 'run', path: `/run/${EXAMPLE}?count=64` },
    { title: 'transformation', path: '/transformations/add' },
    { title: 'condition', path: '/conditions/tutorial_threshold_v1' },
    { title: 'format', path: `/formats/${format}` },
    { title: 'profile', path: `/users/0x${owner}` },
    { title: 'account', path: '/account' },
    { title: 'documentation', path: '/docs/tutorial/curl' },
    { title: 'API', path: '/docs/api' },
    { title: 'status', path: '/status' },
  ]
}

const EXAMPLE = 'weave'
