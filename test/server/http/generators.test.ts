import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { revalidates } from '#lib/server/http/operation.ts'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { chainExamples } from '#lib/server/operations/chain/examples.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { servicesDocument } from '#lib/server/operations/services/document.ts'
import { servicesExamples } from '#lib/server/operations/services/examples.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'

/* Traps of a document for generators of clients, viewers and validators. */

interface Media {
  readonly schema?: unknown
  readonly example?: unknown
}
interface Drawn {
  readonly tags: readonly { name: string }[]
  readonly components: { readonly schemas: Readonly<Record<string, { example?: unknown }>> }
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string
            readonly tags: readonly string[]
            readonly parameters?: readonly (Media & { name: string; schema: Media & { $ref?: string } })[]
            readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
            readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, Media>> }>>
          }
        >
      >
    >
  >
}

const APIS = {
  chain: { operations: chainOperations, examples: chainExamples, draw: chainDocument },
  services: { operations: servicesOperations, examples: servicesExamples, draw: servicesDocument },
} as const

/** Every object of a document, with its path. */
function* objectsOf(value: unknown, path = ''): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>]
  for (const [key, each] of Object.entries(value)) yield* objectsOf(each, `${path}/${key}`)
}

describe.each(Object.entries(APIS))('the %s API', (_, { operations, examples, draw }) => {
  const document: Drawn = JSON.parse(JSON.stringify(draw(operations)))
  const drawn = Object.values(document.paths).flatMap((methods) => Object.values(methods))

  test('has no pattern beside a format', () => {
    const both = [...objectsOf(document)].filter(([, { pattern, format }]) => pattern && format)
    expect(both.map(([path]) => path)).toEqual([])
  })

  test('declares every tag it uses, and uses every one it declares', () => {
    const used = new Set(drawn.flatMap(({ tags }) => tags))
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted())
  })

  test('has an example of every parameter and every body', () => {
    const without = drawn.flatMap(({ operationId, parameters = [], requestBody, responses }) => [
      ...parameters
        .filter(({ schema, example }) => {
          const shared = document.components.schemas[schema.$ref?.split('/').at(-1) ?? '']
          return (example ?? schema.example ?? shared?.example) === undefined
        })
        .map(({ name }) => `${operationId} ${name}`),
      ...Object.entries(requestBody?.content ?? {})
        // A ZIP is no text.
        .filter(([type, { example }]) => type !== 'multipart/form-data' && example === undefined)
        .map(([type]) => `${operationId} ${type}`),
      ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content)
          .filter(({ example }) => example === undefined)
          .map(() => `${operationId} ${status}`),
      ),
    ])
    expect(without).toEqual([])
  })

  test('has examples of what exists, and of what its schemas accept', () => {
    const byId = new Map<string, (typeof operations)[number]>(
      operations.map((operation) => [operation.id, operation]),
    )
    expect(Object.keys(examples).filter((id) => !byId.has(id))).toEqual([])
    const own = operations.flatMap(({ id, example }) =>
      example === undefined ? [] : [[id, example] as const],
    )
    for (const [id, { request, response }] of [...Object.entries(examples), ...own]) {
      const operation = byId.get(id)
      if (request !== undefined) expect(problemOf(operation?.request.body, request), id).toBeUndefined()
      const [success] = Object.values(operation?.responses ?? {})
      if (success?.schema) expect(problemOf(success.schema, response), id).toBeUndefined()
      else if (success?.contentType) expect(typeof response, id).toBe('string')
    }
  })

  test('has an ETag on every list and document', () => {
    const without = operations.filter(
      (operation) => operation.method === 'GET' && operation.auth === 'none' && !revalidates(operation),
    )
    // A secret of the moment, a stream, a sign of life, and files that have an ETag of their own.
    const expected = [
      'GET_nonce',
      'GET_feedStream',
      'GET_health',
      'GET_worldAsset',
      'GET_worldBundle',
      'GET_still',
    ]
    for (const { id } of without) expect(expected).toContain(id)
  })
})

function problemOf(schema: z.ZodType | undefined, value: unknown): string | undefined {
  return schema === undefined ? 'no schema' : schema.safeParse(value).error?.message
}
