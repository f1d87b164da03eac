/** Lints the OpenAPI documents as they are served: `npm run openapi:lint`. */
import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core'
import { documents } from './generated/client-types.ts'

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // One server, relative, so that the document is right wherever it is served from.
    'no-server-example.com': 'off',
    // GET /version cannot fail in a way of its own.
    'operation-4xx-response': 'off',
  },
})

for (const [api, document] of Object.entries(documents)) {
  const source = JSON.stringify(document(), null, 2)
  const problems = await lintFromString({ source, absoluteRef: `${api}.json`, config })
  if (problems.length === 0) continue
  formatProblems(problems, { totals: { errors: problems.length, warnings: 0, ignored: 0 }, version: '' })
  process.exitCode = 1
}
