import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  CompileAnswer,
  ExplainAnswer,
  PreviewAnswer,
  TryAnswer,
} from '#lib/server/operations/studio/preview-schemas.ts'
import { startApi, type TestApi } from '#test/support/api.ts'

/*
 * The studio's endpoints by operation and status; rejections, and responses of a busy server, are in `bounds.test.ts`.
 */

let api: TestApi

beforeAll(async () => {
  api = await startApi('studio')
})
afterAll(() => api?.close())

const ADD = { kind: 'transformation', name: 'add', sol_src: 'return x + args[0];' }
const MUL = { kind: 'transformation', name: 'mul', sol_src: 'return x * args[0];' }
const EVEN = { kind: 'condition', name: 'even', sol_src: 'return args[0] % 2 == 0;' }
function call(name: string, ...args: number[]) {
  return { name, args }
}

const SONG = {
  connectors: [
    { name: 'Song', dimensions: [{ transformations: [call('add', 2)], composite: 'Pitch' }] },
    { name: 'Pitch', dimensions: [{ transformations: [call('add', 1), call('mul', 2)] }] },
  ],
  bodies: [ADD, MUL],
  connector_name: 'Song',
}

function preview(body: Record<string, unknown>) {
  return api.post<PreviewAnswer>('/preview', { particles_count: 4, ...body })
}
function explain(body: Record<string, unknown>) {
  return api.post<ExplainAnswer>('/explain', body)
}

describe('POST_preview', () => {
  test('200: runs connectors and bodies that are not stored', async () => {
    const answer = await preview(SONG)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      result: { outcome: 'particles', particles: [{ path: '/Song:0/Pitch:0', data: [0, 2, 6, 14] }] },
      bodies: [
        { kind: 'transformation', name: 'add', args_count: 1, diagnostics: [] },
        { kind: 'transformation', name: 'mul', args_count: 1, diagnostics: [] },
      ],
    })
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(answer.headers.get('access-control-allow-origin')).not.toBe('*')
    for (const table of ['drafts', 'artifacts']) {
      expect(await api.db.sql`select 1 from ${api.db.sql(table)}`, table).toHaveLength(0)
    }
  })

  test('200: a rejection names the step and the call', async () => {
    const answer = await preview({
      connectors: [
        {
          name: 'Song',
          dimensions: [{ transformations: [] }, { transformations: [call('add', 3)], composite: 'Part' }],
        },
        { name: 'Part', dimensions: [{ transformations: [call('add', 1), call('mul', 100_000)] }] },
      ],
      bodies: [ADD, MUL],
      connector_name: 'Song',
    })
    expect(answer.json.result).toEqual({
      outcome: 'rejected',
      rejection: { name: 'Panic', message: 'Arithmetic overflow or underflow' },
      place: {
        kind: 'step',
        path: '/Song:1/Part:0',
        position: 3,
        connector: 'Part',
        dimension: 0,
        call: 1,
        transformation: 'mul',
        args: [100_000],
        step: 4,
        x: 100_001,
      },
    })
  })

  test('200: bodies that do not compile are listed by name with line and column', async () => {
    const broken = { kind: 'transformation', name: 'broken', sol_src: 'uint32 y = x;\nreturn y +;' }
    const connectors = [{ name: 'One', dimensions: [{ transformations: [call('broken')] }] }]
    const answer = await preview({ connectors, bodies: [broken, ADD], connector_name: 'One' })
    expect(answer.json).toMatchObject({
      result: {
        outcome: 'invalid',
        problems: [{ kind: 'transformation', name: 'broken', message: 'The body does not compile' }],
      },
      bodies: [
        {
          name: 'broken',
          args_count: null,
          diagnostics: [{ line: 2, column: 11, message: 'Expected primary expression.' }],
        },
        { name: 'add', args_count: 1, diagnostics: [] },
      ],
    })
    // An unused one does not stop the run.
    const [one] = SONG.connectors.slice(1)
    const beside = await preview({ connectors: [one], bodies: [broken, ADD, MUL], connector_name: 'Pitch' })
    expect(beside.json.result.outcome).toBe('particles')
  })

  test.each([
    [
      'an unknown name',
      [{ name: 'A', dimensions: [{ transformations: [call('ghost')] }] }],
      'TransformationMissing: ghost',
    ],
    [
      'a wrong number of arguments',
      [{ name: 'A', dimensions: [{ transformations: [call('add')] }] }],
      'TransformationArgumentsMismatch: add',
    ],
    [
      'a connector in itself',
      [{ name: 'A', dimensions: [{ transformations: [], composite: 'A' }] }],
      'made of itself',
    ],
    [
      'a circle',
      [
        { name: 'A', dimensions: [{ transformations: [], composite: 'B' }] },
        { name: 'B', dimensions: [{ transformations: [], composite: 'A' }] },
      ],
      'made of itself',
    ],
    [
      'a repeated name',
      [
        { name: 'A', dimensions: [{ transformations: [] }] },
        { name: 'A', dimensions: [{ transformations: [] }] },
      ],
      'There are two connectors of the name A',
    ],
    ['no such connector', [], 'There is no connector A'],
  ])('200: %s is a problem of an entry', async (_what, connectors, message) => {
    const { json } = await preview({ connectors, bodies: [ADD], connector_name: 'A' })
    expect(json.result).toMatchObject({
      outcome: 'invalid',
      problems: [{ kind: 'connector', message: expect.stringContaining(message) }],
    })
  })

  test('200: names like those of objects are ordinary', async () => {
    for (const name of ['__proto__', 'toString', 'hasOwnProperty']) {
      const { json } = await preview({
        connectors: [{ name, dimensions: [{ transformations: [call(name, 2)] }] }],
        bodies: [{ ...ADD, name }],
        connector_name: name,
      })
      expect(json.result).toMatchObject({ particles: [{ path: `/${name}:0`, data: [0, 2, 4, 6] }] })
    }
    const ghost = await preview({ connectors: [], connector_name: 'valueOf' })
    expect(ghost.json.result.outcome).toBe('invalid')
  })

  test('200: running into a limit is an answer', async () => {
    const forever = { kind: 'transformation', name: 'forever', sol_src: 'while (true) {} return x;' }
    const small = await startApi('studio', {
      simulate: { ...api.services.config.simulate, gasLimit: 1_000_000n },
    })
    try {
      const answer = await small.post<PreviewAnswer>('/preview', {
        connectors: [{ name: 'A', dimensions: [{ transformations: [call('forever')] }] }],
        bodies: [forever],
        connector_name: 'A',
        particles_count: 2,
      })
      expect(answer.json.result).toMatchObject({
        outcome: 'rejected',
        rejection: { name: 'Limit', message: expect.stringContaining('out of gas') },
        place: null,
      })
    } finally {
      await small.close()
    }
  })

  test('200: a loop that does not end is given up in a third of the simulator’s own time', async () => {
    const hasty = await startApi('studio', {
      simulate: { ...api.services.config.simulate, timeoutMs: 3_000 },
    })
    try {
      const { json } = await hasty.post<PreviewAnswer>('/preview', {
        connectors: [{ name: 'A', dimensions: [{ transformations: [call('forever')] }] }],
        bodies: [{ ...ADD, name: 'forever', sol_src: 'while (x >= 0) { x ^= 1; } return x;' }],
        connector_name: 'A',
        particles_count: 4,
      })
      expect(json).toMatchObject({
        result: {
          outcome: 'rejected',
          rejection: { name: 'Limit', message: expect.stringContaining('limit of 1000 ms') },
        },
      })
    } finally {
      await hasty.close()
    }
  })
})

describe('POST_explain', () => {
  test('200: the chain of values behind one particle', async () => {
    const answer = await explain({ ...SONG, path: '/Song:0/Pitch:0', step: 2 })
    const step = (number: number, name: string, amount: number, before: number, after: number) => ({
      number,
      call: name === 'add' ? 0 : (number + 1) % 2,
      transformation: name,
      args: [amount],
      before,
      after,
    })
    expect(answer.json).toEqual({
      outcome: 'explained',
      start: { index: 0, source: 'default' },
      index: 2,
      value: 6,
      dimensions: [
        {
          path: '/Song:0',
          position: 1,
          connector: 'Song',
          dimension: 0,
          leads_to: 'Pitch',
          running_instance: { start_point: 0, transformation_shift: 0, source: 'default' },
          index: 2,
          steps: [step(1, 'add', 2, 0, 2), step(2, 'add', 2, 2, 4)],
          value: 4,
        },
        {
          path: '/Song:0/Pitch:0',
          position: 2,
          connector: 'Pitch',
          dimension: 0,
          leads_to: '',
          running_instance: { start_point: 0, transformation_shift: 0, source: 'default' },
          index: 4,
          steps: [
            step(1, 'add', 1, 0, 1),
            step(2, 'mul', 2, 1, 2),
            step(3, 'add', 1, 2, 3),
            step(4, 'mul', 2, 3, 6),
          ],
          value: 6,
        },
      ],
    })
  })

  test('200: only the last steps of a long way, and where it starts', async () => {
    const ri = { start_point: 100, transformation_shift: 0 }
    const { json } = await explain({
      ...SONG,
      connector_name: 'Long',
      connectors: [{ name: 'Long', dimensions: [{ transformations: [call('add', 1)] }] }],
      dynamic_ri: { '0': { start_point: 500, transformation_shift: 0 }, '1': ri },
      path: '/Long:0',
      step: 10,
    })
    if (json.outcome !== 'explained') throw new Error(json.outcome)
    expect(json).toMatchObject({ start: { index: 500, source: 'caller' }, index: 510, value: 610 })
    expect(json.dimensions[0]!.steps).toHaveLength(32)
    expect(json.dimensions[0]!.steps.at(-1)).toMatchObject({ number: 510, before: 609, after: 610 })
    expect(json.dimensions[0]!.running_instance.source).toBe('caller')
  })

  test('200: no leaf has the path', async () => {
    for (const path of ['', '/', '/Song:0', '/Song:1', '/Song:0/Pitch:0/', '__proto__']) {
      expect((await explain({ ...SONG, path, step: 0 })).json).toEqual({ outcome: 'no_such_path' })
    }
  })
})

describe('POST_compile', () => {
  const compile = (sol_src: string, kind = 'transformation') =>
    api.post<CompileAnswer>('/compile', { kind, sol_src })

  test('200: the number of arguments', async () => {
    expect((await compile('return x + args[0] * args[3];')).json).toEqual({ args_count: 4, diagnostics: [] })
    expect((await compile('return args[1] > 0;', 'condition')).json).toEqual({
      args_count: 2,
      diagnostics: [],
    })
  })

  test('200: errors at their line and column', async () => {
    const { json } = await compile('uint32 é = 1; // ÿ\n\n  return é + y;\nreturn z;')
    expect(json.args_count).toBeNull()
    expect(json.diagnostics[0]).toMatchObject({ line: 1, column: 8 })
    const { json: two } = await compile('uint32 a = 1;\n\n  return a + y;\nreturn z;')
    expect(two.diagnostics).toEqual([
      { line: 3, column: 14, message: 'Undeclared identifier.' },
      { line: 4, column: 8, message: 'Undeclared identifier.' },
    ])
  })

  test('200: what is wrong with the body as a whole has no place', async () => {
    for (const [source, text] of [
      ['', 'The body is empty'],
      [' \n', 'The body is empty'],
      [`return x;${' '.repeat(33_000)}`, 'The body is longer than 32768 bytes'],
      ['return x; } function f() public {', 'exactly one function body'],
    ] as const) {
      expect((await compile(source)).json).toEqual({
        args_count: null,
        diagnostics: [{ line: null, column: null, message: expect.stringContaining(text) }],
      })
    }
  })
})

describe('POST_try', () => {
  const run = (body: Record<string, unknown>) => api.post<TryAnswer>('/try', body)

  test('200: a transformation on x, and on its own result', async () => {
    const { json } = await run({ kind: 'transformation', sol_src: ADD.sol_src, x: 5, args: ['7'], steps: 3 })
    expect(json).toEqual({ outcome: 'ran', args_count: 1, values: [12, 19, 26], rejection: null })
  })

  test('200: a condition on its arguments', async () => {
    for (const [arg, holds] of [
      [-2, 1],
      [3, 0],
    ]) {
      const { json } = await run({ kind: 'condition', sol_src: EVEN.sol_src, args: [arg] })
      expect(json).toEqual({ outcome: 'ran', args_count: 1, values: [holds], rejection: null })
    }
  })

  test('200: a revert in words, after the values before it', async () => {
    const source = 'require(x < 12, "twelve is enough"); return x + 5;'
    const { json } = await run({ kind: 'transformation', sol_src: source, x: 5, steps: 9 })
    expect(json).toEqual({
      outcome: 'ran',
      args_count: 0,
      values: [10, 15],
      rejection: { name: 'Error', message: 'twelve is enough' },
    })
  })

  test('200: a body that does not compile, and one that answers nonsense', async () => {
    expect((await run({ kind: 'transformation', sol_src: 'return', x: 1 })).json.outcome).toBe('not_compiled')
    const sol_src = 'assembly { return(0, 3) } return x;'
    expect((await run({ kind: 'transformation', sol_src, x: 1 })).json).toMatchObject({
      values: [],
      rejection: { name: 'InvalidEntity' },
    })
  })

  test('400: another number of arguments', async () => {
    const answer = await api.post('/try', { kind: 'transformation', sol_src: ADD.sol_src, x: 1 })
    expect([answer.status, answer.json.message]).toEqual([400, 'The body takes 1 argument, 0 given'])
  })
})
