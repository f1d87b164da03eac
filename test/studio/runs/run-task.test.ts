import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import type { ArtifactsAnswer } from '#lib/server/operations/studio/artifacts.ts'
import type { PreviewAnswer, PreviewRequest } from '#lib/server/operations/studio/preview-schemas.ts'
import type { BrowserEngine } from '#lib/studio/runs/engine/browser-engine.ts'
import type { Task, TaskAnswer } from '#lib/studio/runs/engine/messages.ts'
import { createTaskRunner } from '#lib/studio/runs/engine/run-task.ts'
import { createCompiledBodies, createKnownArtifacts } from '#lib/studio/runs/known-artifacts.ts'
import { createQuickPreview, type QuickPreview } from '#lib/studio/runs/quick-preview.ts'
import { project } from '#test/server/chain/projection.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { define } from '#test/support/definitions.ts'
import { PATIENCE_MS } from '#test/support/until.ts'

/*
 * A whole preview in the browser except the worker's thread, beside the server's: both results must be equal.
 */

let api: TestApi
let quick: QuickPreview
const reads: string[][] = []
/** The clock, which only tests move. */
let clockMs = 0
let revised = false
/** Reads without a response. */
let pending = 0

const BODIES = [
  { kind: 'transformation' as const, name: 'add', sol_src: 'return x + args[0];' },
  { kind: 'transformation' as const, name: 'twist', sol_src: 'return (x * args[0] + 11) % args[1];' },
  { kind: 'condition' as const, name: 'even', sol_src: 'return args[0] % 2 == 0;' },
]
function call(name: string, ...args: number[]) {
  return { name, args }
}
function dimension(composite: string, ...transformations: ReturnType<typeof call>[]) {
  return {
    transformations,
    composite,
    bindings: {} as Record<string, string>,
  }
}
function wire(
  name: string,
  dimensions: ReturnType<typeof dimension>[],
  more: { condition_name?: string; condition_args?: number[] } = {},
) {
  return { name, dimensions, condition_name: '', condition_args: [], static_ri: {}, ...more }
}

function question(connectors: ReturnType<typeof wire>[], count = 60, dynamic_ri = {}): PreviewRequest {
  return {
    connectors,
    bodies: BODIES,
    connector_name: connectors[0]?.name ?? 'Outer',
    particles_count: count,
    dynamic_ri,
  }
}

const SONG = [
  wire('Song', [dimension('Part', call('add', 2)), dimension('', call('twist', 5, 97), call('add', 1))]),
  wire('Part', [dimension('', call('add', 3)), dimension('Outer', call('add', 1))], {
    condition_name: 'even',
    condition_args: [4],
  }),
]

beforeAll(async () => {
  api = await startApi('studio')
  const first = await server(question([wire('Warm', [dimension('')])]))
  await publish(first.bodies)

  const runTask = createTaskRunner(PATIENCE_MS)
  const memory = new Set<string>()
  let id = 0
  const engine: BrowserEngine<Task, TaskAnswer> = {
    // As it comes through a worker's door.
    run: async (prepare) => structuredClone(runTask(structuredClone({ id: ++id, ...prepare(memory) }))),
    reset: () => memory.clear(),
  }
  quick = createQuickPreview({
    engine,
    artifacts: createKnownArtifacts({
      read: async (names) => {
        reads.push(names.map(({ kind, name }) => `${kind}/${name}`))
        const withoutNames = revised
        pending += 1
        const { json } = await api.post<ArtifactsAnswer>('/artifacts', { names })
        pending -= 1
        return withoutNames ? { ...json, names: [] } : json
      },
      nowMs: () => clockMs,
    }),
    bodies: createCompiledBodies(),
  })
})
afterAll(() => api?.close())

/** `Inner` and `Outer`, which stands on it, are on the network. */
async function publish(compiled: PreviewAnswer['bodies']): Promise<void> {
  const { runtime } = compiled.find(({ name }) => name === 'add')!
  const shelf = new Map<string, BuiltArtifact>()
  const keep = async (artifact: BuiltArtifact) => {
    shelf.set(artifact.name, artifact)
    await project(api.db, artifact)
  }
  const code = { kind: 'transformation', name: 'step', argsCount: 1, runtime: runtime as Hex } as const
  await keep({ ...code, contentHash: codeContentHash('transformation', 'step', 1, runtime as Hex) })
  const lookup = (_kind: string, name: string) => shelf.get(name)
  const steps = [{ name: 'step', args: [7] }]
  await keep(buildConnector(define({ name: 'Inner', dimensions: [{ transformations: steps }, {}] }), lookup))
  const dimensions = [{ composite: 'Inner', bindings: { '1': 'Inner' }, transformations: steps }]
  await keep(buildConnector(define({ name: 'Outer', dimensions }), lookup))
}

async function server(asked: PreviewRequest): Promise<PreviewAnswer> {
  const answer = await api.post<PreviewAnswer>('/preview', asked)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

function send(asked: PreviewRequest) {
  return quick.send(asked, new AbortController().signal)
}

describe('a preview in the browser', () => {
  test('is not there before the server has compiled the bodies, and then is the same as the server’s', async () => {
    expect(await send(question(SONG))).toBeUndefined()
    const answer = await server(question(SONG))
    quick.onAnswer(question(SONG), answer)
    await expect.poll(() => pending).toBe(0)
    const optimistic = await send(question(SONG))
    expect(optimistic?.result).toEqual(answer.result)
    // The names of the network were requested once, while the bodies were still unknown.
    expect(reads).toEqual([['connector/Outer']])
  })

  const [song, part] = SONG as [ReturnType<typeof wire>, ReturnType<typeof wire>]
  test.each<[string, PreviewRequest]>([
    ['another argument', question([{ ...song, dimensions: [dimension('', call('twist', 9, 1021))] }])],
    ['another structure', question([wire('New', [dimension('Song'), dimension('Part')]), ...SONG])],
    ['another number of particles', question(SONG, 3)],
    ['other starts', question(SONG, 50, { '0': { start_point: 9, transformation_shift: 0 } })],
    ['another shift', question(SONG, 50, { '5': { start_point: 1, transformation_shift: 1 } })],
    [
      'a binding',
      question([wire('Bound', [{ ...dimension('Outer', call('add', 2)), bindings: { '0': 'Part' } }]), part]),
    ],
    ['nothing of the document', { connector_name: 'Outer', particles_count: 40 } as PreviewRequest],
  ])('follows %s without the compiler', async (_what, asked) => {
    const whole = { connectors: [], bodies: [], dynamic_ri: {}, ...asked }
    const optimistic = await send(whole)
    const answer = await server(whole)
    expect(answer.result.outcome).toBe('particles')
    expect(optimistic?.result).toEqual(answer.result)
  })

  test.each<[string, PreviewRequest]>([
    ['that stops', question([wire('Stop', [dimension('', call('twist', 1, 0))])])],
    [
      'whose condition says no',
      question([wire('No', [dimension('')], { condition_name: 'even', condition_args: [3] })]),
    ],
    ['that nobody can build', question([wire('Bad', [dimension('', call('add'))])])],
    ['made of itself', question([wire('Self', [dimension('Self')])])],
    ['that needs what nobody has', question([wire('Lost', [dimension('Nowhere')])])],
    [
      'with a body that was not compiled',
      { ...question(SONG), bodies: [{ ...BODIES[0]!, sol_src: 'return 1;' }] },
    ],
  ])('leaves a connector %s to the server', async (_what, asked) => {
    expect(await send(asked)).toBeUndefined()
  })

  test('refetches an absent name only after a pause', async () => {
    const before = reads.length
    for (let i = 0; i < 3; i++) await send(question([wire('Gone', [dimension('NotThere', call('add', i))])]))
    expect(reads.slice(before)).toEqual([['connector/NotThere']])
  })

  test('names that were read a while ago are read again beside the run', async () => {
    const before = reads.length
    expect(await send(question(SONG))).toBeDefined()
    expect(reads).toHaveLength(before)
    clockMs = 11_000
    // Taken away meanwhile.
    revised = true
    expect(await send(question(SONG))).toBeDefined()
    expect(reads.slice(before)).toEqual([['connector/Outer']])
    await expect.poll(() => pending).toBe(0)
    expect(await send(question(SONG))).toBeUndefined()
    revised = false
    clockMs = 22_000
    expect(await send(question(SONG))).toBeDefined()
  })
})
