import { Command } from '#lib/ui/components/command.tsx'
import {
  type ApiDocument,
  type ApiOperation,
  clientExample,
  contentOf,
  curlExample,
  exampleOf,
  type Field,
  fieldsOf,
  resolve,
  tokenOf,
  typeWords,
} from './api-document.ts'
import { Markdown } from './markdown.tsx'
import { TryIt } from './try-it.tsx'

interface Props {
  document: ApiDocument
  operation: ApiOperation
  /** Fragment of its address. */
  anchor: string
  /** Origin of the site. */
  origin: string
}

/** One operation: its parameters, bodies and responses, with examples beside them on wide screens. */
export function OperationReference({ document, operation, anchor, origin }: Props) {
  const { method, path, summary, description, parameters = [] } = operation
  const token = tokenOf(operation)
  const body = contentOf(operation.requestBody)
  const isUpload = body?.contentType === 'multipart/form-data'
  const responses = Object.entries(operation.responses)
  const successes = responses.filter(([status]) => Number(status) < 400)
  const failures = responses.filter(([status]) => Number(status) >= 400)
  const failure = failures.find(([, { content }]) => content !== undefined)?.[1]
  const client = clientExample(document, operation, origin)
  return (
    <section className="grid gap-x-10 gap-y-4 border-line border-t py-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
      <div className="min-w-0 text-sm">
        <h4 id={anchor} className="scroll-mt-6 font-semibold text-base">
          {summary}
        </h4>
        <p className="mono mt-1 [overflow-wrap:anywhere]">
          <span className="text-accent">{method}</span> {document.base + path}
        </p>
        <Markdown>{description}</Markdown>
        {token === undefined ? null : (
          <p className="text-ink-soft">Requires a token of this API, as Authorization: Bearer …</p>
        )}
        {parameters.length === 0 ? null : <Title>Parameters</Title>}
        {parameters.map(({ in: place, required = false, ...rest }) => (
          <FieldRow key={rest.name} document={document} field={{ ...rest, required }} place={place} />
        ))}
        {body === undefined ? null : <Title>Request body</Title>}
        <BodyFields document={document} content={body} />
        <Title>Responses</Title>
        {successes.map(([status, response]) => (
          <div key={status}>
            <Status status={status}>{response.description}</Status>
            <BodyFields document={document} content={contentOf(response)} />
            {Object.entries(response.headers ?? {}).map(([name, header]) => (
              <FieldRow
                key={name}
                document={document}
                field={{ name, required: true, schema: { type: 'string', ...header } }}
                place="header"
              />
            ))}
          </div>
        ))}
        <details className="mt-2">
          <summary className="w-fit cursor-pointer py-1 text-ink-soft hover:text-accent">
            Failures: {failures.map(([status]) => status).join(', ')}
          </summary>
          {failures.map(([status, response]) => (
            <Status key={status} status={status}>
              {response.description}
            </Status>
          ))}
          <BodyFields document={document} content={contentOf(failure)} />
        </details>
      </div>
      <div className="min-w-0 space-y-3">
        <Example title="curl">{curlExample(document, operation, origin)}</Example>
        {client === undefined ? null : <Example title="Typed client">{client}</Example>}
        {successes.map(([status, response]) => {
          const content = contentOf(response)
          return content?.example === undefined ? null : (
            <Example key={status} title={`Response ${status}`}>
              {exampleOf(document, content)}
            </Example>
          )
        })}
        <TryIt
          method={method}
          path={document.base + path}
          token={token}
          parameters={parameters.map(({ schema, ...rest }) => ({
            ...rest,
            example: exampleOf(document, { schema }),
          }))}
          json={body === undefined || isUpload ? undefined : exampleOf(document, body)}
          file={isUpload ? fieldsOf(document, body.schema)[0]?.name : undefined}
        />
      </div>
    </section>
  )
}

function Title({ children }: { children: string }) {
  return <p className="mt-4 mb-1 font-medium">{children}</p>
}

function Example({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <p className="mb-1 text-ink-soft text-xs">{title}</p>
      <div className="max-h-80 overflow-y-auto rounded-md">
        <Command what={`example: ${title}`}>{children}</Command>
      </div>
    </div>
  )
}

function Status({ status, children }: { status: string; children: string }) {
  return (
    <div className="my-1 grid grid-cols-[2.5rem_minmax(0,1fr)] [&_p]:my-0">
      <span className="mono">{status}</span>
      <Markdown>{children}</Markdown>
    </div>
  )
}

function BodyFields({ document, content }: { document: ApiDocument; content: ReturnType<typeof contentOf> }) {
  if (content === undefined) return null
  return (
    <>
      <p className="text-ink-soft">
        <span className="mono text-xs">{content.contentType}</span>: {typeWords(document, content.schema)}
      </p>
      {fieldsOf(document, content.schema).map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: alternatives may share names
        <FieldRow key={index} document={document} field={field} />
      ))}
    </>
  )
}

/** A field with those of its object. */
function FieldRow({ document, field, place }: { document: ApiDocument; field: Field; place?: string }) {
  const { name, schema, required } = field
  const { description } = resolve(document, schema)
  return (
    <div className="border-line border-l py-1 pl-3 [overflow-wrap:anywhere] [&_p]:my-0">
      <code>{name}</code>{' '}
      <span className="text-ink-soft">
        {place === undefined ? '' : `${place}, `}
        {typeWords(document, schema)}
        {required ? '' : ', optional'}
      </span>
      {description === undefined ? null : <Markdown>{description}</Markdown>}
      {fieldsOf(document, schema).map((inner, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: alternatives may share names
        <FieldRow key={index} document={document} field={inner} />
      ))}
    </div>
  )
}
