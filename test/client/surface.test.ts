import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { breakingChanges, mayBreak, type Surface, surfaceOf } from '#scripts/client-package/surface.ts'
import { documents } from '#scripts/generated/client-types.ts'

/** The APIs as they were published last. Write it anew, with `API_BASELINE=1`, when a version is published. */
const BASELINE = fileURLToPath(new URL('../fixtures/api-baseline.json', import.meta.url))

test.runIf(process.env.API_BASELINE)('the baseline is written anew', () => {
  const surfaces = Object.entries(documents).map(([api, document]) => [api, surfaceOf(document())])
  const line = (key: string, value: unknown) => `${JSON.stringify(key)}:${JSON.stringify(value)}`
  const text = surfaces.map(([api, surface]) => {
    const { version, operations } = surface as Surface
    const lines = Object.entries(operations).map(([name, operation]) => line(name, operation))
    return `${JSON.stringify(api)}:{"version":${JSON.stringify(version)},"operations":{\n${lines.join(',\n')}}}`
  })
  writeFileSync(BASELINE, `{${text.join(',\n')}}\n`)
})

test.each(Object.keys(documents) as (keyof typeof documents)[])(
  'the %s API breaks no client of the version that was published last, or has a new major version',
  (api) => {
    expect(existsSync(BASELINE)).toBe(true)
    const before: Surface = JSON.parse(readFileSync(BASELINE, 'utf8'))[api]
    const after = surfaceOf(documents[api]())
    expect(Object.keys(before.operations).length).toBeGreaterThan(10)
    const broken = breakingChanges(before, after)
    const advice = `These break clients of ${before.version}: take them back, or raise the version of both documents`
    if (!mayBreak(before.version, after.version)) expect(broken, advice).toEqual([])
  },
)

describe('a change of a document', () => {
  const run = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, kind: { type: 'string', enum: ['a', 'b'] } },
  }
  const answer = {
    type: 'object',
    required: ['values'],
    properties: { values: { $ref: '#/components/schemas/V' } },
  }
  function documentOf(request: object, response: object, parameters: object[] = []) {
    const content = (schema: object) => ({ 'application/json': { schema } })
    const post = {
      parameters,
      requestBody: { content: content(request) },
      responses: { 200: { content: content(response) }, 400: {} },
    }
    const schemas = { V: { type: 'array', items: { type: 'integer' } } }
    return { info: { version: '0.4.0' }, paths: { '/run': { post } }, components: { schemas } }
  }
  const before = surfaceOf(documentOf(run, answer))
  const parameter = { name: 'n', in: 'query', schema: { type: 'integer' } }

  test.each<[string, object, string[]]>([
    ['nothing', documentOf(run, answer), []],
    [
      'more of what is optional',
      documentOf({ ...run, properties: { ...run.properties, more: { type: 'string' } } }, answer, [
        parameter,
      ]),
      [],
    ],
    [
      'more in responses, and more values',
      documentOf(
        { ...run, properties: { ...run.properties, kind: { type: 'string', enum: ['a', 'b', 'c'] } } },
        { ...answer, properties: { ...answer.properties, more: { type: 'string' } } },
      ),
      [],
    ],
    ['no operation', { ...documentOf(run, answer), paths: {} }, ['POST /run: the operation is gone']],
    [
      'a required parameter',
      documentOf(run, answer, [{ ...parameter, required: true }]),
      ['POST /run: query.n is new and required'],
    ],
    [
      'a required field',
      documentOf({ ...run, required: ['name', 'kind'] }, answer),
      ['POST /run: body.kind became required'],
    ],
    [
      'a new required field',
      documentOf(
        { ...run, required: ['name', 'x'], properties: { ...run.properties, x: { type: 'string' } } },
        answer,
      ),
      ['POST /run: body.x is new and required'],
    ],
    [
      'a field less, a value less',
      documentOf({ type: 'object', properties: { kind: { type: 'string', enum: ['a', 'c'] } } }, answer),
      ['POST /run: body.name is not accepted any more', 'POST /run: body.kind does not accept "b" any more'],
    ],
    [
      'another type',
      documentOf(run, { ...answer, properties: { values: { type: 'array', items: { type: 'string' } } } }),
      ['POST /run: 200.values[] was integer and is string'],
    ],
    [
      'a field that may be absent',
      documentOf(run, { ...answer, required: [] }),
      ['POST /run: 200.values may be absent now'],
    ],
    [
      'nothing in the response',
      documentOf(run, { type: 'object' }),
      ['POST /run: 200.values is not returned any more', 'POST /run: 200.values[] is not returned any more'],
    ],
  ])('%s', (_what, after, broken) => {
    expect(breakingChanges(before, surfaceOf(after))).toEqual(broken)
  })

  test('is allowed by a new major version, before 1.0 by a new minor one', () => {
    expect(mayBreak('0.4.0', '0.5.0')).toBe(true)
    expect(mayBreak('0.4.0', '1.0.0')).toBe(true)
    expect(mayBreak('1.4.0', '2.0.0')).toBe(true)
    expect(mayBreak('0.4.0', '0.4.9')).toBe(false)
    expect(mayBreak('1.4.0', '1.5.0')).toBe(false)
  })
})
