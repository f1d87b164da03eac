import type { Metadata } from 'next'
import { siteOrigin } from '#lib/server/docs/texts.ts'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { servedChainOperations } from '#lib/server/operations/chain/index.ts'
import { servicesDocument } from '#lib/server/operations/services/document.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'
import { getServices } from '#lib/server/services.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { titleLook } from '#lib/ui/components/page-head.tsx'
import { type ApiDocument, type ApiOperation, readDocument } from '#lib/ui/docs/api-document.ts'
import { Markdown } from '#lib/ui/docs/markdown.tsx'
import { OperationReference } from '#lib/ui/docs/operation.tsx'
import { OperationIndex } from '#lib/ui/docs/operation-index.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

export const metadata: Metadata = {
  title: 'API reference',
  description:
    'Every operation of the chain API and of the services API, with parameters, bodies, responses and examples to try.',
}

let cached: readonly ApiDocument[] | undefined

export default async function ApiReferencePage() {
  const [origin, { config }] = await Promise.all([siteOrigin(), getServices()])
  cached ??= [chainDocument(servedChainOperations(config)), servicesDocument(servicesOperations)].map(
    readDocument,
  )
  const index = cached.map((document) => ({
    title: document.info.title,
    entries: document.operations.map((operation) => ({
      href: `#${anchorOf(document, operation)}`,
      method: operation.method,
      path: document.base + operation.path,
      summary: operation.summary,
    })),
  }))
  return (
    <div className={`${measure} grid gap-x-10 lg:grid-cols-[17rem_minmax(0,1fr)]`}>
      <h1 className={`pt-6 pb-4 lg:col-start-2 ${titleLook.words}`}>API reference</h1>
      <OperationIndex apis={index} />
      <div className="min-w-0">
        {cached.map((document) => (
          <Api key={document.base} document={document} origin={origin} />
        ))}
      </div>
    </div>
  )
}

function anchorOf({ base }: ApiDocument, { operationId }: ApiOperation): string {
  return `${base.slice(1)}-${operationId}`
}

function Api({ document, origin }: { document: ApiDocument; origin: string }) {
  const { base, info, tags, operations } = document
  return (
    <section aria-labelledby={base.slice(1)} className="pt-8">
      <h2 id={base.slice(1)} className="scroll-mt-6 border-ink border-t-2 pt-3 font-semibold text-2xl">
        {info.title}
      </h2>
      <div className="max-w-prose">
        <Markdown>{info.description ?? ''}</Markdown>
        <p>
          For tools:{' '}
          <a className={textLink} href={`${base}/openapi.json`}>
            OpenAPI 3.0 document
          </a>
        </p>
      </div>
      {tags.map(({ name, description }) => (
        <div key={name} className="pt-8">
          <h3 className="font-semibold text-xl">{name}</h3>
          <p className="mt-1 mb-4 text-ink-soft">{description}</p>
          {operations
            .filter((operation) => operation.tags.includes(name))
            .map((operation) => (
              <OperationReference
                key={operation.operationId}
                document={document}
                operation={operation}
                anchor={anchorOf(document, operation)}
                origin={origin}
              />
            ))}
        </div>
      ))}
    </section>
  )
}
