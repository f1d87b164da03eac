import { endpointsOf, SITE, startApi, type TestApi } from '#test/support/api.ts'
import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { NoAnswer } from '#lib/browser/requests.ts'
import { attachWorld, detachWorld } from '#lib/studio/document/attached-worlds.ts'
import { EMPTY_VIEW, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { workspaceServer } from '#lib/studio/keep/server.ts'
import { syncWorkspace } from '#lib/studio/keep/sync-workspace.ts'
import {
  openWorkspaceStore,
  type StoredWorkspace,
  type WorkspaceStore,
} from '#lib/studio/keep/workspace-store.ts'
import { newPerson } from '#test/server/services/people.ts'

/*
 * Two browsers of one account and the server's own endpoints, with a connection that fails before or after the server
 * has processed a request. Whatever the order: no typed text is lost, and both converge.
 */

let api: TestApi
let token: string
let account: string
/** The one that the devices of a test share. */
let workspace: string
/** Faults of the connection for the next requests. */
let weather: ('fine' | 'cut' | 'answer lost')[] = []

beforeAll(async () => {
  api = await startApi('services')
  const person = await newPerson(api)
  token = person.token
  account = person.address.toLowerCase()
  const { dispatch } = endpointsOf('studio', api.services)
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    const sky = weather.shift() ?? 'fine'
    if (sky === 'cut') throw new TypeError('Failed to fetch')
    const { headers, ...rest } = init ?? {}
    const response = await dispatch(
      new Request(`${SITE}${String(path)}`, {
        ...rest,
        headers: {
          ...(headers as Record<string, string>),
          'sec-fetch-site': 'same-origin',
          authorization: `Bearer ${token}`,
        },
      }),
    )
    if (sky === 'answer lost') throw new TypeError('Failed to fetch')
    return response
  })
})
afterAll(() => api?.close())
beforeEach(newWorkspace)

function newWorkspace(): void {
  weather = []
  workspace = newId()
}

/** One browser of the account. */
class Device {
  private readonly workspace = workspace
  private readonly works: WorkspaceStore
  constructor(works: WorkspaceStore) {
    this.works = works
  }

  async edit(change: (document: StudioDocument) => StudioDocument): Promise<void> {
    const work = await this.work()
    const document = change(work?.document ?? { entries: [], places: [] })
    await this.works.put('works', {
      owner: this.key,
      workspace: this.workspace,
      name: work?.name ?? 'My work',
      revision: (work?.revision ?? 0) + 1,
      savedAtMs: 0,
      document,
      view: EMPTY_VIEW,
      deletedAtMs: work?.deletedAtMs ?? null,
      ...this.more,
    })
    this.more = {}
  }

  private more: Partial<StoredWorkspace> = {}
  async set(more: Partial<StoredWorkspace>): Promise<void> {
    this.more = more
    await this.edit((document) => document)
  }

  /** IndexedDB is shared in this process, so that each device has a separate owner name in it. */
  readonly key = newId()

  work(): Promise<StoredWorkspace | undefined> {
    return this.works.get('works', [this.key, this.workspace])
  }

  /** As the page does it; whatever fails is tried again some other time. */
  async sync(): Promise<readonly string[]> {
    const server = workspaceServer(account)
    try {
      const remote = (await server.list()).find(({ id }) => id === this.workspace)
      const { works: workspaces, workspace } = this
      const parts = { workspaces, server, owner: this.key, workspace, notify: () => {} }
      return await syncWorkspace(parts, remote)
    } catch (error) {
      if (error instanceof NoAnswer) return []
      throw error
    }
  }

  async sources(): Promise<string[]> {
    const entries = (await this.work())?.document.entries ?? []
    return entries.map((entry) => (entry.kind === 'connector' ? '' : entry.source)).toSorted()
  }
}

function body(id: string, source: string) {
  return { kind: 'transformation', id, name: id, source } as const
}

/** Writes a body under an id, as a user typing there. */
function write(id: string, source: string) {
  return (document: StudioDocument) => ({
    ...document,
    entries: document.entries.some((entry) => entry.id === id)
      ? document.entries.map((entry) => (entry.id === id ? { ...entry, source } : entry))
      : [...document.entries, body(id, source)],
  })
}

let works: WorkspaceStore
beforeAll(async () => {
  works = await openWorkspaceStore()
})
afterAll(() => works?.close())

async function settle(...devices: Device[]): Promise<void> {
  weather = []
  for (let round = 0; round < 3; round++) for (const device of devices) await device.sync()
}

test('whatever two devices type and however the connection fails, nothing is lost and both agree', async () => {
  const action = fc.record({
    device: fc.constantFrom(0, 1),
    what: fc.constantFrom('type', 'type', 'sync', 'sync', 'rename'),
    id: fc.constantFrom('a', 'b', 'c'),
    weather: fc.array(fc.constantFrom('fine', 'fine', 'cut', 'answer lost'), { maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
      newWorkspace()
      const devices = [new Device(works), new Device(works)]
      await devices[0]!.edit(write('a', 'first'))
      await settle(...devices)
      await devices[1]!.edit((document) => document)
      await settle(...devices)
      // The last that each device typed under each id since it last saw something else there.
      const typed = new Map<string, string>()
      let count = 0
      for (const step of actions) {
        const device = devices[step.device]!
        weather = [...step.weather] as typeof weather
        if (step.what === 'type') {
          const source = `typed ${count++}`
          const before = (await device.work())?.document.entries.find(({ id }) => id === step.id)
          // Typing over something replaces it, and only that.
          if (before !== undefined && before.kind !== 'connector') typed.delete(before.source)
          typed.set(source, step.id)
          await device.edit(write(step.id, source))
        } else if (step.what === 'rename') await device.set({ name: `Name ${count++}` })
        else await device.sync()
      }
      await settle(...devices)
      const [first, second] = [await devices[0]!.sources(), await devices[1]!.sources()]
      expect(first).toEqual(second)
      for (const source of typed.keys()) expect(first).toContain(source)
      expect((await devices[0]!.work())?.name).toBe((await devices[1]!.work())?.name)
    }),
    { numRuns: 20 },
  )
})

test('a save whose response is lost is no change of another device', async () => {
  const device = new Device(works)
  await device.edit(write('a', 'one'))
  await device.sync()
  await device.edit(write('a', 'two'))
  // The list is read, the save arrives, and its response is lost.
  weather = ['fine', 'answer lost']
  await device.sync()
  await device.edit(write('a', 'three'))
  expect(await device.sync()).toEqual([])
  expect(await device.sources()).toEqual(['three'])
  const { document } = await workspaceServer(account).read(workspace)
  expect(document.entries).toEqual([body('a', 'three')])
})

test('Worlds that one device attaches are on the other, too', async () => {
  const [first, second] = [new Device(works), new Device(works)]
  await first.edit((document) => attachWorld(write('a', 'start')(document), 'entry/a', 'wld_1'))
  await settle(first)
  await second.edit((document) => document)
  await settle(second)
  expect((await second.work())?.document.worlds).toEqual([{ of: 'entry/a', world: 'wld_1' }])
  await second.edit((document) => detachWorld(document, 'entry/a', 'wld_1'))
  await settle(second, first)
  expect((await first.work())?.document).not.toHaveProperty('worlds')
})

test('entries changed on both sides are duplicated, and the copies are reported', async () => {
  const [first, second] = [new Device(works), new Device(works)]
  await first.edit(write('a', 'start'))
  await settle(first)
  await second.edit((document) => document)
  await settle(second)
  await first.edit(write('a', 'here'))
  await second.edit(write('a', 'there'))
  await first.sync()
  expect(await second.sync()).toEqual(['a_2'])
  await settle(first, second)
  expect(await first.sources()).toEqual(['here', 'there'])
})

test('a deletion is synced, unless the workspace was edited since', async () => {
  const [first, second] = [new Device(works), new Device(works)]
  await first.edit(write('a', 'start'))
  await settle(first)
  await second.edit((document) => document)
  await settle(second)
  await first.set({ deletedAtMs: 1 })
  await settle(first, second)
  expect((await second.work())?.deletedAtMs).not.toBeNull()

  // Taken back on the other device.
  await second.set({ deletedAtMs: null })
  await settle(second, first)
  expect((await first.work())?.deletedAtMs).toBeNull()

  await first.set({ deletedAtMs: 2 })
  await first.sync()
  await second.edit(write('a', 'still working'))
  await settle(second, first)
  expect((await first.work())?.deletedAtMs).toBeNull()
  expect(await first.sources()).toEqual(['still working'])
})

test('a server that lost all data receives it again', async () => {
  const device = new Device(works)
  await device.edit(write('a', 'kept'))
  await settle(device)
  await api.db.sql`delete from workspaces where owner = ${account}`
  await settle(device)
  expect((await workspaceServer(account).read(workspace)).document.entries).toEqual([body('a', 'kept')])
})
