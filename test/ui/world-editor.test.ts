import { expect, onTestFinished, test } from 'vitest'
import { Refusal } from '#lib/browser/requests.ts'
import type { ComparisonAnswer } from '#lib/server/operations/studio/worlds.ts'
import { BundleEditor, type DraftStore, type EditorSite } from '#lib/ui/world-editor/editor.ts'
import type { WorldFiles } from '#lib/ui/world-editor/files.ts'
import type { PreviewView } from '#lib/views/world.ts'

function filesNamed(name: string, files: Record<string, string> = { 'world.js': name }): WorldFiles {
  return { name, files: new Map(Object.entries(files)), leftOut: [] }
}

/** A site that accepts every bundle until it is told otherwise. */
function siteWith(changes: Partial<EditorSite> = {}) {
  const ended: string[] = []
  let started = 0
  const site: EditorSite = {
    async startPreview(_bundle, onShare) {
      onShare(1)
      started += 1
      const expires_at = new Date(Date.now() + 1_800_000).toISOString()
      return {
        id: `p${started}`,
        version: '1',
        bundle_hash: '',
        files: 1,
        bytes: 1,
        expires_at,
        warnings: [],
      }
    },
    fetchPreview: async (id) =>
      ({ framed: { name: id }, needs: {}, candidates: [] }) as unknown as PreviewView,
    endPreview: (id) => ended.push(id),
    compare: async () => undefined,
    publish: async () => 'published',
    signIn: async () => true,
    ...changes,
  }
  return { site, ended }
}

function storeWith(first?: WorldFiles) {
  let stored = first
  const store: DraftStore = {
    read: async () => stored,
    async write(files) {
      stored = files
      return true
    },
    async drop() {
      stored = undefined
    },
  }
  return { store, stored: () => stored }
}

function editorOf(changes: Partial<EditorSite> = {}, first?: WorldFiles) {
  const { site, ended } = siteWith(changes)
  const { store, stored } = storeWith(first)
  const editor = new BundleEditor(site, store)
  onTestFinished(() => editor.close())
  return { editor, ended, stored, now: () => editor.state.getState() }
}

test('what is chosen is previewed and stored, and what another choice replaces comes back', async () => {
  const { editor, ended, stored, now } = editorOf()
  await editor.resume()
  expect(now().files).toBeUndefined()
  await editor.load(Promise.resolve(filesNamed('one')))
  expect(now()).toMatchObject({ isCurrent: true, isStored: true, work: undefined, before: undefined })
  await editor.load(Promise.resolve(filesNamed('two')))
  expect([now().files?.name, now().before?.name, stored()?.name, ended]).toEqual([
    'two',
    'one',
    'two',
    ['p1'],
  ])
  editor.takeBack()
  await expect.poll(() => now().previewed?.answer.id).toBe('p3')
  expect([now().files?.name, now().before?.name, stored()?.name]).toEqual(['one', 'two', 'one'])
})

test('stored files are opened in place of those of the World, and nothing is lost where a choice cannot be read', async () => {
  const { editor, now } = editorOf({}, filesNamed('stored'))
  await editor.resume(() => Promise.reject(new Error('not read')))
  expect(now().files?.name).toBe('stored')
  await editor.load(Promise.reject(new DOMException('gone', 'NotReadableError')))
  expect(now().files?.name).toBe('stored')
  expect(now().problems[0]?.text).toContain('Choose them again')
})

test('a choice is not replaced by what was stored, which comes back', async () => {
  const { editor, now } = editorOf({}, filesNamed('stored'))
  const resumed = editor.resume()
  await editor.load(Promise.resolve(filesNamed('chosen')))
  await resumed
  expect([now().files?.name, now().before?.name]).toEqual(['chosen', 'stored'])
})

test('a refused bundle keeps its files and the last preview; an edit mends it', async () => {
  let refusal: Refusal | undefined
  const { site } = siteWith()
  const { editor, stored, now } = editorOf({
    startPreview: async (...args) => {
      if (refusal) throw refusal
      return site.startPreview(...args)
    },
  })
  await editor.load(Promise.resolve(filesNamed('one')))
  refusal = new Refusal(400, 'The bundle has 2 problems:\n- world-manifest.json slug: no\n- "a.js": bad')
  editor.change(new Map([['a.js', 'bad']]), 'a.js')
  expect(now()).toMatchObject({ isCurrent: false, open: 'a.js' })
  await expect.poll(() => now().problems.map(({ file }) => file)).toEqual(['world-manifest.json', 'a.js'])
  expect(now().previewed?.answer.id).toBe('p1')
  expect(now().files?.files.get('a.js')).toBe('bad')
  await editor.publish()
  expect(now().publishing.at).toBe('not yet')
  refusal = undefined
  editor.change(new Map([['a.js', undefined]]))
  await expect.poll(() => now().isCurrent).toBe(true)
  expect(now().problems).toEqual([])
  expect([...(stored()?.files.keys() ?? [])]).toEqual(['world.js'])
})

test('a left sign-in and a refused publication keep everything; publication forgets the draft', async () => {
  let signedIn = false
  let refusal: Refusal | undefined = new Refusal(429, 'Too many Worlds')
  const { editor, stored, now } = editorOf({
    signIn: async () => signedIn,
    publish: async () => {
      if (refusal) throw refusal
      return 'one'
    },
  })
  await editor.load(Promise.resolve(filesNamed('one')))
  await editor.publish()
  expect(now()).toMatchObject({ publishing: { at: 'not yet' }, isCurrent: true })
  signedIn = true
  await editor.publish()
  expect(now().publishing).toEqual({ at: 'refused', lines: ['Too many Worlds'] })
  expect(stored()?.name).toBe('one')
  refusal = undefined
  await editor.publish()
  expect(now().publishing).toEqual({ at: 'done', slug: 'one' })
  expect(stored()).toBeUndefined()
})

test('another version is compared with the World that it replaces; discarding ends its preview', async () => {
  const diff = { same: false } as unknown as ComparisonAnswer
  const { editor, ended, stored, now } = editorOf({ compare: async () => diff })
  await editor.resume(async () => filesNamed('world'))
  expect(now().previewed?.diff).toBe(diff)
  await editor.discard()
  expect([now().files, stored(), ended]).toEqual([undefined, undefined, ['p1']])
})

test('a newer choice takes the place of one that is still being sent', async () => {
  const { site } = siteWith()
  const { editor, now } = editorOf({
    startPreview: (bundle, onShare, signal) =>
      now().files?.name === 'slow'
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : site.startPreview(bundle, onShare, signal),
  })
  const slow = editor.load(Promise.resolve(filesNamed('slow')))
  await expect.poll(() => now().files?.name).toBe('slow')
  await editor.load(Promise.resolve(filesNamed('fast')))
  await slow
  expect(now()).toMatchObject({ files: { name: 'fast' }, problems: [], isCurrent: true, work: undefined })
})
