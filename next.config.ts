import type { NextConfig } from 'next'
import { pageHeaders, WORKER_HEADERS } from './lib/worlds/page-policy.ts'
import { tracedFiles } from './scripts/vercel/traced-files.ts'

/** Where Next serves the site by itself, built on the machine whose settings it runs with. */
const onPlatform = process.env.VERCEL === '1'

const config: NextConfig = {
  poweredByHeader: false,
  // The site's own server does, after it has put the pages in order; elsewhere the platform does.
  compress: false,
  // Written into the bundles, so that it tells when they were made.
  env: { BUILD_TIMESTAMP: new Date().toISOString() },
  reactStrictMode: true,
  // The API says what its own paths are; a redirect would answer before it can.
  skipTrailingSlashRedirect: true,
  // Type checking is its own step of the test command; the build need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // A built site is built anew when it changes; writing the cache takes longer than it saves.
  experimental: { turbopackFileSystemCacheForBuild: false },
  serverExternalPackages: [
    'solc',
    'piscina',
    'postgres',
    'pino',
    '@ethereumjs/vm',
    '@ethereumjs/evm',
    '@prometheus-io/client',
  ],
  headers: async () => (process.env.NODE_ENV === 'development' || onPlatform ? headersOfPages() : []),
  // `/status` is a page for people and, for programs that ask for JSON rather than HTML, the document behind it; pages of
  // the documentation have a twin in markdown at their address with `.md`.
  rewrites: async () => ({
    beforeFiles: [
      { source: '/docs.md', destination: '/markdown' },
      { source: '/docs/:slug(.+)\\.md', destination: '/markdown/:slug' },
      {
        source: '/status',
        has: [{ type: 'header', key: 'accept', value: '(?!.*text/html).*application/json.*' }],
        destination: '/status.json',
      },
    ],
    afterFiles: [],
    fallback: [],
  }),
  // `npm run site` runs beside all of its files; only a platform takes them apart.
  ...(onPlatform && { outputFileTracingIncludes: { '/**': tracedFiles(process.cwd()) } }),
}

/** `npm run site` sets them itself, as it may run elsewhere than where it was built. */
function headersOfPages(): { source: string; headers: { key: string; value: string }[] }[] {
  const siteOrigin = process.env.SITE_ORIGIN || `http://localhost:${process.env.PORT || 3000}`
  const ofPages = pageHeaders(
    {
      siteOrigin,
      assetOrigin: process.env.ASSET_ORIGIN || undefined,
      allowedOrigins: [],
      walletConnectProjectId: process.env.WALLETCONNECT_PROJECT_ID || undefined,
    },
    // A developer's own node is no secret to the developer's own browser.
    process.env.PUBLIC_RPC_URL || (onPlatform ? undefined : process.env.CHAIN_RPC_URL) || undefined,
  )
  return [
    { source: '/((?!chain/|services/).*)', headers: asList(ofPages) },
    ...(onPlatform
      ? [{ source: '/_next/static/chunks/turbopack-worker-:name.js', headers: asList(WORKER_HEADERS) }]
      : []),
  ]
}

function asList(headers: Readonly<Record<string, string>>): { key: string; value: string }[] {
  return Object.entries(headers).map(([key, value]) => ({ key, value }))
}

export default config
