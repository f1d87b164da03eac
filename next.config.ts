import type { NextConfig } from 'next'
import { WORKER_HEADERS } from './lib/page-policy/worker-headers.ts'
import { tracedFiles } from './scripts/vercel/traced-files.ts'

/** Where Next serves the site by itself, built on the machine whose settings it runs with. */
const onPlatform = process.env.VERCEL === '1'

const headersOfWorkers = [
  {
    source: '/_next/static/chunks/turbopack-worker-:name.js',
    headers: Object.entries(WORKER_HEADERS).map(([key, value]) => ({ key, value })),
  },
]

const config: NextConfig = {
  poweredByHeader: false,
  // The site's own server does, after it has put the pages in order; elsewhere the platform does.
  compress: false,
  // Written into the bundles, so that it tells when they were made.
  env: { BUILD_TIMESTAMP: new Date().toISOString() },
  reactStrictMode: true,
  // No page has the framework make its pictures smaller. Asked by anybody, it would: of any address of this site, past
  // every limit, and keep what it made.
  images: { unoptimized: true },
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
    'rate-limiter-flexible',
  ],
  // Those of pages come from `proxy.ts`, or from the site's own server, as these do there.
  headers: async () => (onPlatform ? headersOfWorkers : []),
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

export default config
