import type { NextConfig } from 'next'
import { WORKER_HEADERS } from './lib/server/page-policy/worker-csp.ts'
import { tracedFiles } from './scripts/vercel/traced-files.ts'

/** Whether Next serves the site itself, built on the machine whose settings it runs with. */
const onPlatform = process.env.VERCEL === '1'

const headersOfWorkers = [
  {
    source: '/_next/static/chunks/turbopack-worker-:name.js',
    headers: Object.entries(WORKER_HEADERS).map(([key, value]) => ({ key, value })),
  },
]

const config: NextConfig = {
  poweredByHeader: false,
  // The site's own server compresses; elsewhere the platform does.
  compress: false,
  // Written into the bundles: the time of the build.
  env: { BUILD_TIMESTAMP: new Date().toISOString() },
  reactStrictMode: true,
  // No page uses Next's image optimisation. Its endpoint would be public, bypass every limit, accept any address of
  // this site and cache the results.
  images: { unoptimized: true },
  // The API defines its own paths; a redirect would answer before it can.
  skipTrailingSlashRedirect: true,
  // Type checking is its own step of the test command; the build need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // A built site is rebuilt when it changes; writing the cache takes longer than it saves.
  experimental: { turbopackFileSystemCacheForBuild: false },
  serverExternalPackages: [
    'solc',
    'piscina',
    'postgres',
    'pino',
    '@ethereumjs/vm',
    '@ethereumjs/evm',
    'prom-client',
    'rate-limiter-flexible',
    // Native code.
    '@napi-rs/canvas',
  ],
  // Those of pages come from `proxy.ts`, or from the site's own server, as these do there.
  headers: async () => (onPlatform ? headersOfWorkers : []),
  // `/@name` leads to an account; folders of routes cannot begin with `@`.
  // `/status` is an HTML page or, for clients that accept JSON but not HTML, `/status.json`; pages of the documentation
  // are also available as markdown at their address with `.md`.
  rewrites: async () => ({
    beforeFiles: [
      // Browsers ask for it beside what is no page, such as the JSON of an API.
      { source: '/favicon.ico', destination: '/icon.svg' },
      { source: '/@:name', destination: '/users/by-name/:name' },
      { source: '/docs.md', destination: '/markdown/index' },
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
