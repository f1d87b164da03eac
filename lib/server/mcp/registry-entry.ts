import { API_VERSION } from '../operations/chain/version.ts'

/**
 * Returns the `server.json` of a site for the public MCP registry, in the schema of 2025-12-11. The name is in the
 * namespace of the site's domain, which the publisher proves to the registry.
 *
 * @param siteOrigin Scheme and host; the registry accepts only sites that are reachable by HTTPS.
 * @throws Error for an origin that no other machine reaches by HTTPS.
 */
export function registryEntry(siteOrigin: string) {
  const url = URL.parse(siteOrigin)
  if (
    url?.protocol !== 'https:' ||
    url.origin !== siteOrigin ||
    !/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/.test(url.hostname)
  ) {
    throw new Error('Name the public origin of the site, for instance https://weft.example')
  }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${url.hostname.split('.').toReversed().join('.')}/weft`,
    title: 'Weft',
    description: 'Compose, simulate and publish small on-chain functions that generate streams of numbers',
    version: API_VERSION,
    websiteUrl: siteOrigin,
    remotes: [{ type: 'streamable-http', url: `${siteOrigin}/mcp` }],
  }
}
