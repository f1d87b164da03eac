/* What clients of an OpenAPI document rely on, in a form that is small enough to keep, and what breaks them. */

/** Fields by path, as `type`, or its values joined by `|`; with `!` behind a field that is always there. */
type Fields = Readonly<Record<string, string>>

interface OperationSurface {
  /** Parameters as `in.name`, and fields of the body as `body.path`. */
  readonly request: Fields
  /** Fields of the successes as `status.path`. */
  readonly response: Fields
}

/** The operations of a document by method and path. */
export interface Surface {
  readonly version: string
  readonly operations: Readonly<Record<string, OperationSurface>>
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
interface Operation {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Returns the surface of a document. */
export function surfaceOf(document: object): Surface {
  const { info, paths, components } = JSON.parse(JSON.stringify(document)) as {
    info: { version: string }
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  const operations: Record<string, OperationSurface> = {}
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = item[method]
      if (operation === undefined) continue
      const request: Record<string, string> = {}
      for (const parameter of operation.parameters ?? []) {
        const label = `${parameter.in}.${parameter.name}`
        add(request, label, parameter.schema, parameter.required === true, components.schemas, [])
      }
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
        add(request, 'body', schema ?? {}, true, components.schemas, [])
      }
      const response: Record<string, string> = {}
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) continue
        const [type, { schema = {} } = {}] = Object.entries(content)[0] ?? ['nothing']
        if (type === 'application/json') add(response, status, schema, true, components.schemas, [])
        else response[status] = `${type}!`
      }
      operations[`${method.toUpperCase()} ${path}`] = { request, response }
    }
  }
  return { version: info.version, operations }
}

function add(
  fields: Record<string, string>,
  label: string,
  given: Schema,
  required: boolean,
  shared: Readonly<Record<string, Schema>>,
  above: readonly string[],
): void {
  const name = given.$ref?.slice('#/components/schemas/'.length)
  if (name !== undefined && above.includes(name)) return
  const schema = name === undefined ? given : (shared[name] ?? {})
  const inside = name === undefined ? above : [...above, name]
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  const type = schema.enum?.join('|') ?? (variants.length > 0 ? 'one of' : String(schema.type ?? 'any'))
  fields[label] ??= required ? `${type}!` : type
  for (const part of schema.allOf ?? []) add(fields, label, part, required, shared, inside)
  for (const [index, variant] of variants.entries()) {
    add(fields, `${label}<${index + 1}>`, variant, true, shared, inside)
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    add(fields, `${label}.${key}`, property, schema.required?.includes(key) === true, shared, inside)
  }
  if (schema.items !== undefined) add(fields, `${label}[]`, schema.items, true, shared, inside)
  if (typeof schema.additionalProperties === 'object') {
    add(fields, `${label}{}`, schema.additionalProperties, true, shared, inside)
  }
}

/** Returns what breaks clients that were written for `before`, a sentence each. */
export function breakingChanges(before: Surface, after: Surface): string[] {
  return Object.entries(before.operations).flatMap(([name, was]) => {
    const is = after.operations[name]
    if (is === undefined) return [`${name}: the operation is gone`]
    return [...requestBreaks(was.request, is.request), ...responseBreaks(was.response, is.response)].map(
      (sentence) => `${name}: ${sentence}`,
    )
  })
}

function requestBreaks(before: Fields, after: Fields): string[] {
  const gone = Object.keys(before).filter((field) => after[field] === undefined)
  const demanded = Object.entries(after).flatMap(([field, is]) => {
    const was = before[field]
    const isNew = was === undefined && before[parentOf(field)] !== undefined
    if (!is.endsWith('!')) return []
    if (isNew || (was === undefined && !field.startsWith('body.'))) return [`${field} is new and required`]
    return was !== undefined && !was.endsWith('!') ? [`${field} became required`] : []
  })
  return [
    ...gone.map((field) => `${field} is not accepted any more`),
    ...demanded,
    ...typeBreaks(before, after, (was, is) => was.filter((value) => !is.includes(value)), 'does not accept'),
  ]
}

function responseBreaks(before: Fields, after: Fields): string[] {
  return [
    ...Object.keys(before)
      .filter((field) => after[field] === undefined)
      .map((field) => `${field} is not returned any more`),
    ...Object.entries(before)
      .filter(([field, was]) => was.endsWith('!') && after[field]?.endsWith('!') === false)
      .map(([field]) => `${field} may be absent now`),
    // A client has to expect new values of a response.
    ...typeBreaks(before, after, () => [], ''),
  ]
}

function typeBreaks(
  before: Fields,
  after: Fields,
  missing: (was: readonly string[], is: readonly string[]) => readonly string[],
  words: string,
): string[] {
  return Object.entries(before).flatMap(([field, was]) => {
    const is = after[field]?.replace('!', '')
    const from = was.replace('!', '')
    if (is === undefined || is === from) return []
    if (!from.includes('|') || !is.includes('|')) return [`${field} was ${from} and is ${is}`]
    return missing(from.split('|'), is.split('|')).map((value) => `${field} ${words} "${value}" any more`)
  })
}

function parentOf(field: string): string {
  return field.replace(/(\.[^.[{<]+|\[\]|\{\}|<\d+>)$/, '')
}

/** Whether a version may break clients of another: a new major, or before 1.0 a new minor. */
export function mayBreak(before: string, after: string): boolean {
  const [major = 0, minor = 0] = before.split('.').map(Number)
  const [newMajor = 0, newMinor = 0] = after.split('.').map(Number)
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor)
}
