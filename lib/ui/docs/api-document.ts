import type { OpenApiDocument } from '#lib/server/http/openapi.ts'

/** The parts of an OpenAPI document that ours use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly example?: unknown
  readonly default?: unknown
  readonly nullable?: boolean
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Media {
  readonly schema: Schema
  readonly example?: unknown
}

interface Body {
  readonly content?: Readonly<Record<string, Media>>
}

interface ApiResponse extends Body {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string }>>
}

/** An operation object of OpenAPI. */
export interface ApiOperation {
  readonly method: string
  /** Relative to the base of the API, placeholders in braces. */
  readonly path: string
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, ApiResponse>>
}

export interface ApiDocument {
  /** `/chain` or `/services`. */
  readonly base: string
  readonly info: { readonly title: string; readonly description?: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly operations: readonly ApiOperation[]
  readonly schemas: Readonly<Record<string, Schema>>
}

/** An OpenAPI document with its operations as a list. */
export function readDocument({ servers, info, tags, paths, components }: OpenApiDocument): ApiDocument {
  const operations = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Omit<ApiOperation, 'method' | 'path'>>>).map(
      ([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }),
    ),
  )
  const schemas = (components?.schemas ?? {}) as ApiDocument['schemas']
  return { base: servers?.[0]?.url ?? '', info, tags: tags ?? [], operations, schemas }
}

/** The content of a body in its only type. */
export function contentOf(body: Body | undefined): (Media & { readonly contentType: string }) | undefined {
  const [entry] = Object.entries(body?.content ?? {})
  return entry && { contentType: entry[0], ...entry[1] }
}

/** The kind of token that an operation requires: `chain` or `session`. */
export function tokenOf({ security }: ApiOperation): string | undefined {
  return Object.keys(security[0] ?? {})[0]
}

/** The target of a reference, or the schema itself. */
export function resolve({ schemas }: ApiDocument, schema: Schema): Schema {
  return schema.$ref === undefined
    ? schema
    : (schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {})
}

export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}

/** The fields of an object, of the entries of a list or map, or of all alternatives. */
export function fieldsOf(document: ApiDocument, schema: Schema): readonly Field[] {
  const { items, additionalProperties: values, oneOf = [], allOf = [], ...object } = resolve(document, schema)
  const { properties = {}, required = [] } = object
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    required: required.includes(name),
  }))
  const parts = [items, typeof values === 'object' ? values : undefined, ...oneOf, ...allOf]
  return [...fields, ...parts.flatMap((part) => (part === undefined ? [] : fieldsOf(document, part)))]
}

/** A type in words: `list of string or null`. */
export function typeWords(document: ApiDocument, schema: Schema): string {
  const target = resolve(document, schema)
  const { format, items, additionalProperties: values, minimum, maximum, maxLength } = target
  const type = target.type ?? 'any value'
  const choices = (target.oneOf ?? target.allOf)?.map((choice) => typeWords(document, choice))
  const literals = target.enum?.map((value) => JSON.stringify(value))
  let words = (choices ?? literals)?.join(' or ') ?? (format === undefined ? type : `${type} (${format})`)
  if (items !== undefined) words = `list of ${typeWords(document, items)}`
  else if (typeof values === 'object') words = `object of ${typeWords(document, values)}`
  if (minimum !== undefined)
    words += maximum === undefined ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`
  if (maxLength !== undefined) words += `, at most ${maxLength} characters`
  if (target.default !== undefined) words += `, ${JSON.stringify(target.default)} by default`
  return target.nullable ? `${words} or null` : words
}

/** A value as text; JSON is indented, with lists of numbers in one line. */
export function exampleOf(document: ApiDocument, { schema, example }: Media): string {
  const value = example ?? resolve(document, schema).example ?? ''
  if (typeof value !== 'object') return String(value)
  const numbers = /\[\s+([-\d,\s]+?)\s+\]/g
  return JSON.stringify(value, null, 2).replace(
    numbers,
    (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`,
  )
}

/**
 * Path and query of a request.
 *
 * @param values By name of the parameter; empty ones are left out of the query.
 */
export function requestPath(
  path: string,
  parameters: readonly Pick<Parameter, 'in' | 'name'>[],
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    (values[name] ?? '').split('/').map(encodeURIComponent).join('/'),
  )
  const query = new URLSearchParams()
  for (const { in: place, name } of parameters) {
    if (place === 'query' && values[name]) query.set(name, values[name])
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

export function curlExample(document: ApiDocument, operation: ApiOperation, origin: string): string {
  const { method, path, parameters = [], responses } = operation
  const body = contentOf(operation.requestBody)
  const required = parameters.filter((each) => each.required)
  const values = Object.fromEntries(required.map((each) => [each.name, exampleOf(document, each)]))
  const isStream = contentOf(responses[200])?.contentType === 'text/event-stream'
  const verb = { GET: '', HEAD: ' -I', POST: body === undefined ? ' -X POST' : '' }[method] ?? ` -X ${method}`
  const url = origin + document.base + requestPath(path, parameters, values)
  const lines = [`curl ${isStream ? '-sN' : '-s'}${verb} '${url}'`]
  if (tokenOf(operation) !== undefined) lines.push('-H "Authorization: Bearer $TOKEN"')
  if (body?.contentType === 'application/json') {
    const json = JSON.stringify(JSON.parse(exampleOf(document, body) || '{}'))
    lines.push("-H 'Content-Type: application/json'", `-d '${json.replaceAll("'", "'\\''")}'`)
  } else if (body !== undefined) {
    const [file] = fieldsOf(document, body.schema)
    lines.push(`-F '${file?.name}=@${file?.name}.zip'`)
  }
  return lines.join(' \\\n  ')
}

/** A call of the typed client; undefined for uploads. */
export function clientExample(
  document: ApiDocument,
  operation: ApiOperation,
  origin: string,
): string | undefined {
  const { method, path, parameters = [], responses } = operation
  const body = contentOf(operation.requestBody)
  if (body !== undefined && body.contentType !== 'application/json') return undefined
  const params = (['path', 'query'] as const).flatMap((place) => {
    const required = parameters.filter((each) => each.in === place && each.required)
    const pairs = required.map(
      ({ name, schema }) => `${name}: ${JSON.stringify(resolve(document, schema).example)}`,
    )
    return pairs.length === 0 ? [] : [`${place}: { ${pairs.join(', ')} }`]
  })
  const { contentType = 'application/json' } = contentOf(responses[200]) ?? {}
  const options = []
  if (params.length > 0) options.push(`params: { ${params.join(', ')} }`)
  if (body !== undefined) options.push(`body: ${exampleOf(document, body)}`)
  if (contentType !== 'application/json')
    options.push(`parseAs: '${contentType === 'text/plain' ? 'text' : 'stream'}'`)
  const api = document.base.slice(1)
  const create = `create${api[0]?.toUpperCase()}${api.slice(1)}Client`
  const last = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  return [
    `const ${api} = ${create}('${origin}${document.base}'${tokenOf(operation) ? ', { token }' : ''})`,
    `const { data, error } = await ${api}.${method}('${path}'${last})`,
  ].join('\n')
}
