import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metadata } from 'next'
import { chainOperations } from '../../../../lib/api/chain/index.ts'
import { textLink } from '../../../../lib/ui/link-style.ts'
import { measure } from '../../../../lib/ui/site-frame.tsx'
import { Reference } from './reference.tsx'

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every operation of the chain API, with its requests, answers and failures.',
}

/** The viewer's version, so that its address changes with it. */
const { version } = JSON.parse(
  readFileSync(join(process.cwd(), 'node_modules/@scalar/api-reference/package.json'), 'utf8'),
) as { version: string }

export default function ApiReferencePage() {
  const operations = chainOperations.map(({ id, method, path, summary }) => ({ id, method, path, summary }))
  return (
    <Reference script={`/docs/api/scalar.js?v=${version}`} document="/chain/openapi.json">
      <div className={`${measure} py-12`}>
        <h1 className="font-semibold text-2xl">Chain API reference</h1>
        <p className="mt-3 max-w-prose text-ink-soft">
          The same as a document for tools:{' '}
          <a className={textLink} href="/chain/openapi.json">
            OpenAPI 3.0
          </a>
          . Paths are relative to <code className="font-mono text-sm">/chain</code>.
        </p>
        <ul className="mt-8 divide-y divide-line border-line border-y">
          {operations.map((operation) => (
            <li key={operation.id} className="flex flex-wrap gap-x-4 py-2.5 text-sm">
              <span className="w-14 font-mono text-ink-soft">{operation.method}</span>
              <span className="w-56 font-mono">{operation.path}</span>
              <span>{operation.summary}</span>
            </li>
          ))}
        </ul>
      </div>
    </Reference>
  )
}
