import type { NextConfig } from 'next'
import { pageHeaders } from './lib/worlds/page-policy.ts'

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
  headers: async () => (process.env.NODE_ENV === 'development' ? developmentHeaders() : []),
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
  // The worker pools start these files by path, which tracing cannot see.
  outputFileTracingIncludes: {
    '/**': ['./lib/**/*.ts', './lib/world-sdk/built/**', './contracts/artifacts/**', './drizzle/**'],
  },
}

/** The built site gets them from `scripts/site.ts`, which knows where it runs. */
function developmentHeaders(): { source: string; headers: { key: string; value: string }[] }[] {
  const siteOrigin = process.env.SITE_ORIGIN || `http://localhost:${process.env.PORT || 3000}`
  const headers = pageHeaders(
    {
      siteOrigin,
      assetOrigin: process.env.ASSET_ORIGIN || undefined,
      allowedOrigins: [],
      walletConnectProjectId: process.env.WALLETCONNECT_PROJECT_ID || undefined,
    },
    // A developer's own node is no secret to the developer's own browser.
    process.env.PUBLIC_RPC_URL || process.env.CHAIN_RPC_URL || undefined,
  )
  return [
    {
      source: '/((?!chain/|services/).*)',
      headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
    },
  ]
}

export default config
