import { chainDocument } from '../operations/chain/document.ts'
import { ACCESS_TOKEN } from './tool-request.ts'
import { TOOLS, type Tool } from './tools.ts'

const TOKEN_DESCRIPTION =
  'The `access_token` of `log_in`, valid five minutes. Not needed when the connection sends one as `Authorization: Bearer`.'

type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export interface ToolSchemas {
  /** The path, query and body of the operation side by side, and a place for the token. */
  readonly input: JsonObject
  /** The successes of the operation, always an object: see `structured`. Undefined for a file. */
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
      const drawn = document.paths[operation.path][operation.method.toLowerCase()]
      const { parameters = [], requestBody, responses } = drawn
      const body = expand(requestBody?.content['application/json'].schema ?? {}, shared) as JsonObject
      const required: string[] = [...((body.required as readonly string[] | undefined) ?? [])]
      const properties: Record<string, Json> = { ...(body.properties as JsonObject | undefined) }
      for (const parameter of parameters) {
        properties[parameter.name] = expand(parameter.schema, shared)
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

/** Clients of revisions before 2026-07-28 accept schemas of objects only. */
function objectSchema(successes: readonly JsonObject[]): JsonObject | undefined {
  const [only] = successes
  if (only === undefined) return undefined
  if (successes.length > 1) return { type: 'object', anyOf: successes }
  if (only.type === 'object' || only.oneOf !== undefined) return { ...only, type: 'object' }
  return { type: 'object', properties: { result: only }, required: ['result'], additionalProperties: false }
}

/** With references replaced by what they mean, and with examples, formats of numbers and null as JSON Schema has them. */
function expand(value: Json, shared: JsonObject): Json {
  if (Array.isArray(value)) return value.map((each: Json) => expand(each, shared))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as JsonObject
  if (typeof schema.$ref === 'string') {
    return expand(shared[schema.$ref.slice('#/components/schemas/'.length)] ?? {}, shared)
  }
  const { nullable, discriminator: _, ...own } = schema
  const expanded: JsonObject = Object.fromEntries(
    Object.entries(own).map(([key, each]) =>
      key === 'example' ? ['examples', [each]] : [key, expand(each, shared)],
    ),
  )
  return nullable === true ? { anyOf: [expanded, { type: 'null' }] } : expanded
}
