import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metadata } from 'next'
import { chainOperations } from '../../../../lib/api/chain/index.ts'
import { servicesOperations } from '../../../../lib/api/services/index.ts'
import { textLink } from '../../../../lib/ui/link-style.ts'
import { measure } from '../../../../lib/ui/site-frame.tsx'
import { Reference } from './reference.tsx'

export const metadata: Metadata = {
  title: 'API reference',
  description:
    'Every operation of the chain API and of the services API, with its requests, answers and failures.',
}

/** The viewer's version, so that its address changes with it. */
const { version } = JSON.parse(
  readFileSync(join(process.cwd(), 'node_modules/@scalar/api-reference/package.json'), 'utf8'),
) as { version: string }

const APIS = [
  { title: 'Chain API', slug: 'chain', base: '/chain', operations: chainOperations },
  { title: 'Services API', slug: 'services', base: '/services', operations: servicesOperations },
] as const

const DOCUMENTS = APIS.map(({ title, slug, base }) => ({ title, slug, url: `${base}/openapi.json` }))

export default function ApiReferencePage() {
  return (
    <Reference
      script={`/docs/api/scalar.js?v=${version}`}
      documents={DOCUMENTS}
      className={`${measure} py-12`}
      head={<h1 className="font-semibold text-2xl">API reference</h1>}
    >
      {APIS.map(({ title, slug, base, operations }) => (
        <section key={slug} aria-labelledby={slug} className="mt-10">
          <h2 id={slug} className="font-semibold text-xl">
            {title}
          </h2>
          <p className="mt-3 max-w-prose text-ink-soft">
            The same as a document for tools:{' '}
            <a className={textLink} href={`${base}/openapi.json`}>
              OpenAPI 3.0
            </a>
            . Paths are relative to <code className="font-mono text-sm">{base}</code>.
          </p>
          <ul className="mt-6 divide-y divide-line border-line border-y">
            {operations.map(({ id, method, path, summary }) => (
              <li key={id} className="flex flex-wrap gap-x-4 py-2.5 text-sm">
                <span className="w-14 font-mono text-ink-soft">{method}</span>
                <span className="w-56 font-mono">{path}</span>
                <span>{summary}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Reference>
  )
}
