import fc from 'fast-check'
import type { Operation } from '#lib/server/http/operation.ts'

/*
 * Requests made from the document of the API: valid ones, valid ones with a fault, and garbage.
 */

export interface FuzzRequest {
  readonly operationId: string
  readonly method: string
  /** Path and query as they go over the wire. */
  readonly path: string
  readonly token: 'none' | 'valid' | 'broken'
  readonly type: string
  /** Absent for operations without a body. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

/** The part of OpenAPI's schema objects that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

interface Parameter {
  readonly in: 'path' | 'query'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface FuzzDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string
            readonly parameters?: readonly Parameter[]
            readonly requestBody?: {
              readonly content: { readonly 'application/json'?: { readonly schema: Schema } }
            }
          }
        >
      >
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Texts that mean something here, by the field that holds them. */
export interface Vocabulary {
  readonly names: readonly string[]
  readonly sources: readonly string[]
  readonly addresses: readonly string[]
  readonly hashes: readonly string[]
}

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "'; drop table drafts; --",
  '../../etc/passwd',
  '%s%n',
  '{{7*7}}',
  '\u202e',
  '\ufeff',
  '💥',
  '\ud800',
  'ﬀ',
  'İ',
  '0x',
  `0X${'a'.repeat(40)}`,
  '0'.repeat(64),
  '0x02',
  '0x02c0',
  '-1',
  '00',
  '1e5',
  '65536',
  '65537',
  '4294967296',
  'a'.repeat(128),
  'a'.repeat(129),
  'a'.repeat(20_000),
  'contract',
  'uint256',
  'null',
  'NaN',
]

const HOSTILE_VALUES: readonly unknown[] = [
  ...HOSTILE_TEXTS,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  -0,
  65_537,
  4_294_967_295,
  4_294_967_296,
  2 ** 53,
  1e308,
  -1e308,
  5e-324,
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  { length: 1 },
  { toJSON: 1 },
  { valueOf: 1 },
  { '0': { start_point: 1, transformation_shift: 1 } },
  { '00': { start_point: 1, transformation_shift: 1 } },
  { '4294967296': { start_point: 1, transformation_shift: 1 } },
  JSON.parse('{"__proto__":{"start_point":1,"transformation_shift":1}}'),
  Array.from({ length: 300 }, (_, index) => index),
]

const CURSORS = [
  '000000000000042-00000000-00000000',
  '999999999999999-99999999-99999999',
  '000000000000042-00000000-00000000~3~31337:connector_added:pitch',
]

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
export const hostileValue = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Every kind of request to `operation`. */
export function requestsTo(
  operation: Operation,
  document: FuzzDocument,
  vocabulary: Vocabulary,
): fc.Arbitrary<FuzzRequest> {
  const drawn = document.paths[operation.path]?.[operation.method.toLowerCase()]
  if (drawn === undefined) throw new Error(`${operation.id} is not in the document`)
  const make = valuesOf(document, vocabulary)
  const parameters = drawn.parameters ?? []
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const schema = drawn.requestBody?.content['application/json']?.schema

  return fc
    .record({
      segments: fc.tuple(...inPath.map((parameter) => segmentOf(make(parameter.schema, parameter.name)))),
      query: queryOf(inQuery, make),
      token: fc.constantFrom(...(operation.auth === 'none' ? NO_TOKENS : TOKENS)),
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant('application/json') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', ';', '*/*'),
        },
      ),
      body: schema === undefined ? fc.constant(undefined) : bodyOf(make(schema, 'body')),
    })
    .map(({ segments, query, token, type, body }) => ({
      operationId: operation.id,
      method: operation.method,
      path: fillIn(operation.path, inPath, segments) + query,
      token,
      type,
      body,
    }))
}

const NO_TOKENS = ['none', 'none', 'valid', 'broken'] as const
const TOKENS = ['valid', 'valid', 'valid', 'valid', 'none', 'broken'] as const

function fillIn(path: string, parameters: readonly Parameter[], segments: readonly string[]): string {
  return parameters.reduce(
    (filled, { name }, index) => filled.replace(`{${name}}`, () => segments[index] ?? ''),
    path,
  )
}

function segmentOf(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: valid.map((value) => encode(String(value))) },
    { weight: 3, arbitrary: hostileText.map(encode) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz', '%ff', '%E0%A4%A', '%2e%2e', '%2F', '.', '..', '%00', ';a=b'),
    },
  )
}

function queryOf(
  parameters: readonly Parameter[],
  make: (schema: Schema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<string> {
  if (parameters.length === 0) return fc.constantFrom('', '?', '?a=b&a=b')
  const pair = (parameter: Parameter): fc.Arbitrary<readonly string[]> => {
    const valid = make(parameter.schema, parameter.name).map(
      (value) => `${parameter.name}=${encode(String(value))}`,
    )
    const hostile = fc.oneof(
      hostileText.map((text) => `${parameter.name}=${encode(text)}`),
      fc.constantFrom('=%zz', '=%ff', '', '=+', '[]=1', '=1&limit=1').map((rest) => parameter.name + rest),
    )
    return fc.oneof(
      { weight: 6, arbitrary: valid.map((text) => [text]) },
      { weight: 2, arbitrary: hostile.map((text) => [text]) },
      { weight: parameter.required === true ? 1 : 6, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(valid, valid) },
    )
  }
  return fc
    .tuple(fc.tuple(...parameters.map(pair)), fc.constantFrom([], [], [], ['x=1', 'x=2'], ['%zz=1'], ['&&']))
    .map(([pairs, extra]) => `?${[...pairs.flat(), ...extra].join('&')}`)
}

/** Lone surrogates cannot be encoded, so they go as they are replaced on the wire. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** The valid text, the valid value with one fault, the text with one fault, or anything. */
export function bodyOf(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const faulty = fc
    .tuple(valid, fc.nat(), hostileValue, fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, at, hostile, fault]) => JSON.stringify(spoil(value, at, hostile, fault)))
  const damaged = fc
    .tuple(valid, fc.nat(), fc.constantFrom('cut', 'insert', 'repeat', 'twice', 'nest', 'number'))
    .map(([value, at, damage]) => damageText(JSON.stringify(value), at, damage))
  return fc.oneof(
    { weight: 6, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 8, arbitrary: faulty },
    { weight: 3, arbitrary: damaged },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)) },
  )
}

/** Applies one fault somewhere in a tree; `at` chooses where. */
function spoil(value: unknown, at: number, hostile: unknown, fault: string): unknown {
  const places: ((replacement: unknown) => void)[] = []
  const copy: unknown = structuredClone(value)
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const holder = node as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      places.push((replacement) => {
        if (fault === 'remove') delete holder[key]
        else if (fault === 'add') holder[`${key}_more`] = replacement
        else holder[key] = replacement
      })
      walk(holder[key])
    }
  }
  walk(copy)
  if (places.length === 0) return hostile
  places[at % places.length]?.(hostile)
  return copy
}

function damageText(text: string, at: number, damage: string): string {
  const place = at % (text.length + 1)
  switch (damage) {
    case 'cut':
      return text.slice(0, place)
    case 'insert':
      return `${text.slice(0, place)}${'"{}[],:0\\\u0000é'[at % 11]}${text.slice(place)}`
    case 'repeat': {
      // The first key again, with the same or another value.
      const first = /^\{("[^"]*"):/.exec(text)?.[1]
      return first === undefined ? text : `{${first}:${at % 2 === 0 ? 'null' : '1'},${text.slice(1)}`
    }
    case 'twice':
      return text + text
    case 'nest':
      return '['.repeat(at % 5000) + text
    default:
      return text.replace(/\d+/, ['1e999', '0.1e1', '00', '1.00000000000000000001', '-0'][at % 5] as string)
  }
}

/** Random arguments and slots seldom fit what they are for; none often do. */
function seldomFilled<T>(filled: fc.Arbitrary<T>, empty: T | undefined): fc.Arbitrary<T> {
  if (empty === undefined) return filled
  return fc.oneof({ weight: 2, arbitrary: fc.constant(empty) }, { weight: 1, arbitrary: filled })
}

function valuesOf(
  document: FuzzDocument,
  vocabulary: Vocabulary,
): (schema: Schema, field: string) => fc.Arbitrary<unknown> {
  const make = (schema: Schema, field: string): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) {
      const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
      if (target === undefined) throw new Error(`nothing at ${schema.$ref}`)
      return make(target, field)
    }
    if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map((option) => make(option, field)))
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    switch (schema.type) {
      case 'string':
        return text(schema, field)
      case 'integer':
        return integer(schema, field)
      case 'boolean':
        return fc.boolean()
      case 'array':
        return seldomFilled(
          fc.array(make(schema.items ?? {}, field), { minLength: schema.minItems ?? 0, maxLength: 3 }),
          schema.minItems === undefined ? [] : undefined,
        )
      case 'object':
        return object(schema)
      default:
        return hostileValue
    }
  }

  const text = (schema: Schema, field: string): fc.Arbitrary<string> => {
    if (field === 'sol_src') return fc.constantFrom(...vocabulary.sources)
    if (schema.pattern?.includes('{40}')) return fc.constantFrom(...vocabulary.addresses)
    if (schema.pattern?.includes('{64}')) return fc.constantFrom(...vocabulary.hashes)
    if (field === 'before') return fc.constantFrom(...CURSORS)
    if (field === 'particles_count') return fc.constantFrom('1', '7', '64')
    if (schema.pattern !== undefined || /name|composite|bindings|after/.test(field)) {
      return fc.constantFrom(...vocabulary.names)
    }
    return fc.oneof(hostileText, fc.constantFrom('Login nonce: 1', '0x02c0'))
  }

  const integer = (schema: Schema, field: string): fc.Arbitrary<number> => {
    const { minimum = 0, maximum = 2 ** 31 } = schema
    // Large counts are a matter of speed, tested elsewhere.
    const most = field === 'particles_count' ? 64 : maximum
    return fc.oneof(
      fc.integer({ min: minimum, max: Math.min(most, minimum + 5) }),
      fc.constantFrom(minimum, most),
    )
  }

  const object = (schema: Schema): fc.Arbitrary<unknown> => {
    const { properties = {}, required = [], additionalProperties } = schema
    if (typeof additionalProperties === 'object') {
      return seldomFilled(
        fc.dictionary(fc.nat({ max: 12 }).map(String), make(additionalProperties, 'bindings'), {
          maxKeys: 3,
        }),
        {},
      )
    }
    const fields = Object.entries(properties).map(([name, each]) => [name, make(each, name)] as const)
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] })
  }

  return make
}
