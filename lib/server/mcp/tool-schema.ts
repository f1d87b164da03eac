import { chainDocument } from '../operations/chain/document.ts'
import { ACCESS_TOKEN } from './tool-request.ts'
import { TOOLS, type Tool } from './tools.ts'

const TOKEN_DESCRIPTION = 'From `log_in`, unless the connection sends one.'

type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export interface ToolSchemas {
  /** The path, query and body of the operation side by side, and a place for the token. */
  readonly input: JsonObject
  /**
   * Outline of the successes of the operation, always an object: see `structured`. Undefined for a file. Agents read the
   * answer itself; its whole schema would fill their context before the first call.
   */
  readonly output: JsonObject | undefined
}

let schemas: ReadonlyMap<string, ToolSchemas> | undefined

/** Input and output of a tool as JSON Schema, from the OpenAPI document. */
export function toolSchemas(tool: Tool): ToolSchemas {
  schemas ??= drawSchemas()
  return schemas.get(tool.name) as ToolSchemas
}

function drawSchemas(): ReadonlyMap<string, ToolSchemas> {
  // As it is served: without what only the library that makes it knows.
  const document = JSON.parse(JSON.stringify(chainDocument(TOOLS.map(({ operation }) => operation))))
  const shared: JsonObject = document.components.schemas
  return new Map(
    TOOLS.map(({ name, operation }) => {
      const operationDoc = document.paths[operation.path][operation.method.toLowerCase()]
      const { parameters = [], requestBody, responses } = operationDoc
      const body = expand(requestBody?.content['application/json'].schema ?? {}, shared) as JsonObject
      const required: string[] = [...((body.required as readonly string[] | undefined) ?? [])]
      const properties: Record<string, Json> = { ...(body.properties as JsonObject | undefined) }
      for (const parameter of parameters) {
        properties[parameter.name] = expand({ ...parameter.schema, ...descriptionOf(parameter) }, shared)
        if (parameter.required === true) required.unshift(parameter.name)
      }
      if (operation.auth === 'chain') {
        properties[ACCESS_TOKEN] = { type: 'string', description: TOKEN_DESCRIPTION }
      }
      const successes = Object.entries<{ content: Record<string, { schema: Json }> }>(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content }]) => content['application/json'] ?? [])
        .map(({ schema }) => expand(schema, shared) as JsonObject)
      return [
        name,
        {
          input: { type: 'object', properties, required, additionalProperties: false },
          output: objectSchema(successes),
        },
      ]
    }),
  )
}

/** The description of a parameter, where its schema has none. */
function descriptionOf({ description }: { readonly description?: string }): JsonObject {
  return description === undefined ? {} : { description }
}

/** Clients of revisions before 2026-07-28 accept schemas of objects only. */
function objectSchema(successes: readonly JsonObject[]): JsonObject | undefined {
  const [only] = successes
  if (only === undefined) return undefined
  if (successes.length > 1 || only.oneOf !== undefined) return { type: 'object' }
  return only.type === 'object'
    ? outlineOf(only)
    : { type: 'object', properties: { result: { type: 'array' } } }
}

/** The fields of an object and their types, without what is inside them. */
function outlineOf(schema: JsonObject): JsonObject {
  const properties = Object.entries((schema.properties ?? {}) as JsonObject).map(([name, value]) => {
    const { type } = value as JsonObject
    return [name, type === undefined ? {} : { type }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** Keys that agents do without: errors say what was expected. */
const OMITTED = new Set([
  'example',
  'format',
  'discriminator',
  'nullable',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
])

/** Whether agents do without a keyword: closed objects, and the bounds of 32 bits. */
function isOmitted(key: string, value: Json): boolean {
  if (key === 'additionalProperties') return value === false
  if (key === 'minimum' || key === 'maximum') return Math.abs(Number(value)) >= 2 ** 31 - 1
  return OMITTED.has(key)
}

/** With references replaced by what they mean, and null as JSON Schema has it. */
function expand(value: Json, shared: JsonObject, isProperties = false): Json {
  if (Array.isArray(value)) return value.map((each: Json) => expand(each, shared))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as JsonObject
  if (typeof schema.$ref === 'string') {
    return expand(shared[schema.$ref.slice('#/components/schemas/'.length)] ?? {}, shared)
  }
  const expanded: JsonObject = Object.fromEntries(
    Object.entries(schema)
      .filter(([key, each]) => isProperties || !isOmitted(key, each))
      .map(([key, each]) => [key, expand(each, shared, key === 'properties' && !isProperties)]),
  )
  return schema.nullable === true && !isProperties ? { anyOf: [expanded, { type: 'null' }] } : expanded
}
