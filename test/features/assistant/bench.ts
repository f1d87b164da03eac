import { afterAll, beforeAll, beforeEach } from 'vitest'
import { Refusal } from '#lib/browser/requests.ts'
import {
  type Assistant,
  type AssistantPage,
  createAssistant,
} from '#lib/features/assistant/ui/conversation/assistant.ts'
import type { Endpoint } from '#lib/features/assistant/ui/conversation/endpoint.ts'
import type { PreviewAnswer } from '#lib/server/operations/studio/preview-schemas.ts'
import type { LibraryEntity } from '#lib/studio/document/parts.ts'
import { createStudioStore, type StudioStore } from '#lib/studio/document/store.ts'
import { tabKey, withTab } from '#lib/studio/document/types.ts'
import { createLiveLibrary } from '#lib/studio/library/live-library.ts'
import type { Stream } from '#lib/studio/runs/run.ts'
import { sliceOf } from '#lib/studio/runs/slice.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { type StandIn, startModelStandIn } from '#test/support/model-stand-in.ts'
import { until } from '#test/support/until.ts'

export const KEY = 'sk-secret-of-the-reader'

/** An assistant with a document of its own, the server's own runs, and the stand-in as its model. */
export interface Bench {
  readonly model: () => StandIn
  readonly store: () => StudioStore
  readonly assistant: () => Assistant
  /** Commands to the page: `open a`, `plan a`, `play`. */
  readonly commands: () => readonly string[]
  /** Begins anew. */
  begin(more?: {
    readonly api?: Endpoint['api']
    readonly endpoint?: Partial<Endpoint>
    readonly published?: readonly LibraryEntity[]
    readonly page?: Partial<AssistantPage>
  }): void
  /** Runs the connector in front. */
  run(): Promise<readonly Stream[]>
}

export function bench(): Bench {
  let api: TestApi
  let model: StandIn
  let store: StudioStore
  let assistant: Assistant
  let commands: string[]

  const preview = async (question: unknown): Promise<PreviewAnswer> => {
    const { status, json } = await api.post('/preview', question)
    if (status !== 200) throw new Refusal(status, JSON.stringify(json))
    return json as unknown as PreviewAnswer
  }
  const begin: Bench['begin'] = ({ api: name = 'anthropic', endpoint, published = [], page } = {}) => {
    store = createStudioStore()
    commands = []
    const url = name === 'anthropic' ? model.origin : `${model.origin}/v1`
    const set: Endpoint = { api: name, url, model: 'stand-in', key: KEY, pictures: true, ...endpoint }
    assistant = createAssistant({
      store,
      runs: { aside: async () => undefined, confirm: preview },
      library: createLiveLibrary(async (names) =>
        published.filter((each) =>
          names.some(({ kind, name: wanted }) => each.kind === kind && each.name === wanted),
        ),
      ),
      endpoint: () => set,
      allowed: [model.origin],
      open(entry) {
        commands.push(`open ${entry.name}`)
        store.setView((view) => withTab(view, { kind: 'entry', entryId: entry.id }))
      },
      openPlan: ({ name: entry }) => void commands.push(`plan ${entry}`),
      play: (on) => void commands.push(on ? 'play' : 'stop'),
      search: async (words) =>
        published
          .filter((each) => each.name.includes(words))
          .map(({ kind, name: found }) => ({ kind, name: found, detail: 'by a stranger' })),
      picture: async () => 'iVBORw0KGgo=',
      ...page,
    })
  }

  beforeAll(async () => {
    ;[api, model] = await Promise.all([startApi('studio'), startModelStandIn()])
    const body = { kind: 'transformation', sol_src: 'return x;' }
    await until('the compiler has started', async () => (await api.post('/compile', body)).status === 200)
  })
  beforeEach(() => begin())
  afterAll(async () => {
    await Promise.all([api?.close(), model?.stop()])
  })

  return {
    model: () => model,
    store: () => store,
    assistant: () => assistant,
    commands: () => commands,
    begin,
    async run() {
      const { document, view } = store.getState()
      const entry = document.entries.find(({ id }) => tabKey({ kind: 'entry', entryId: id }) === view.active)
      if (entry?.kind !== 'connector') throw new Error('No connector is in front')
      const slice = sliceOf(document, entry)
      const { result } = await preview({ ...slice, particles_count: entry.steps ?? 64, dynamic_ri: {} })
      if (result.outcome !== 'particles') throw new Error(JSON.stringify(result))
      return result.particles
    },
  }
}
