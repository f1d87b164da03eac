import { chainDocument } from '../api/chain/document.ts'
import { ACCESS_TOKEN, TOKEN_DESCRIPTION } from './access-token.ts'
import { TOOLS, type ToolFacts } from './tools.ts'

type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

let schemas: ReadonlyMap<string, JsonObject> | undefined

/**
 * What a tool takes, as JSON Schema: the path, query and body of its operation side by side, and a place for the token.
 * Drawn from the same document as the reference page.
 */
export function toolSchema(tool: ToolFacts): JsonObject {
  schemas ??= drawSchemas()
  return schemas.get(tool.name) as JsonObject
}

function drawSchemas(): ReadonlyMap<string, JsonObject> {
  // As it is served: without what only the library that makes it knows.
  const document = JSON.parse(JSON.stringify(chainDocument(TOOLS.map(({ operation }) => operation))))
  const shared: JsonObject = document.components.schemas
  return new Map(
    TOOLS.map(({ name, operation }) => {
      const { parameters = [], requestBody } = document.paths[operation.path][operation.method.toLowerCase()]
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
      return [name, { type: 'object', properties, required, additionalProperties: false }]
    }),
  )
}

/** With references replaced by what they mean, and examples as JSON Schema has them. */
function expand(value: Json, shared: JsonObject): Json {
  if (Array.isArray(value)) return value.map((each: Json) => expand(each, shared))
  if (typeof value !== 'object' || value === null) return value
  const schema = value as JsonObject
  if (typeof schema.$ref === 'string') {
    return expand(shared[schema.$ref.slice('#/components/schemas/'.length)] ?? {}, shared)
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, each]) =>
      key === 'example' ? ['examples', [each]] : [key, expand(each, shared)],
    ),
  )
}
