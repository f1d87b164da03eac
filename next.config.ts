import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  // Written into the bundles, so that it tells when they were made.
  env: { BUILD_TIMESTAMP: new Date().toISOString() },
  reactStrictMode: true,
  // The API says what its own paths are; a redirect would answer before it can.
  skipTrailingSlashRedirect: true,
  // Type checking is its own step of the test command; the build need not repeat it.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: [
    'solc',
    'piscina',
    'postgres',
    'pino',
    '@ethereumjs/vm',
    '@ethereumjs/evm',
    '@prometheus-io/client',
  ],
  // `/status` is a page for people and, for programs that ask for JSON rather than HTML, the document behind it.
  rewrites: async () => ({
    beforeFiles: [
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
  outputFileTracingIncludes: { '/**': ['./lib/**/*.ts', './lib/world-sdk/built/**', './contracts/artifacts/**', './drizzle/**'] },
}

export default config
