import { del, get, set } from 'idb-keyval'
import { Refusal } from '#lib/browser/requests.ts'
import { MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { signedInAccount } from '#lib/ui/wallet/prompt.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'
import type { WorldSourceView } from '#lib/views/world-source.ts'
import type { DraftStore, EditorSite } from './editor.ts'
import { type Content, contentOf, fromZip, type WorldFiles } from './files.ts'
import { newSuffix, remixManifest, templateManifest } from './manifest.ts'
import {
  compareBundle,
  endPreview,
  fetchPreview,
  publishBundle,
  replaceBundle,
  startPreview,
} from './requests.ts'

/** Purpose of the files: a World of their own, or another version of the World they are from. */
export type Purpose = 'new' | 'remix' | 'version'

/** The site as an editor of a World asks it. @param source The World that a version replaces. */
export function editorSite(purpose: Purpose, source: WorldSourceView | undefined): EditorSite {
  const replaced = purpose === 'version' ? source : undefined
  return {
    startPreview: (bundle, onShare, signal) =>
      startPreview(bundle, siteSession.getState().status === 'signed_in', onShare, signal),
    fetchPreview,
    endPreview,
    compare: async (bundle) => replaced && compareBundle(replaced.id, bundle),
    async publish(bundle, onShare) {
      if (replaced === undefined) return publishBundle(bundle, onShare)
      await replaceBundle(replaced.id, bundle)
      return replaced.slug
    },
    signIn: async () => (await signedInAccount()) !== undefined,
  }
}

/** Store of the files in this browser. */
export function draftStore(purpose: Purpose, worldId: string | undefined): DraftStore {
  const key = worldId === undefined ? 'weft-new-world' : `weft-${purpose}-${worldId}`
  return {
    async read() {
      try {
        const stored = await get<WorldFiles>(key)
        return stored && { ...NAMELESS, ...stored }
      } catch {
        return undefined
      }
    },
    async write(files) {
      try {
        await set(key, files)
        return true
      } catch {
        return false
      }
    },
    async drop() {
      try {
        await del(key)
      } catch {
        // Nothing was stored.
      }
    },
  }
}

/** Fields that remixes lack which were stored before they had a name. */
const NAMELESS = { name: 'Your remix', leftOut: [] }

/** Address of a file of a World, without what the site adds when it serves it. */
export function sourceHref(slug: string, path: string): string {
  return `/worlds/${slug}/source/file?${new URLSearchParams({ path })}`
}

/** @throws Refusal */
export async function loadFile(slug: string, path: string): Promise<Blob> {
  const response = await fetch(sourceHref(slug, path))
  if (!response.ok) throw new Refusal(response.status, `The site did not send ${path} (${response.status}).`)
  return response.blob()
}

const AT_ONCE = 4

/** Loads all files of a World; for a remix, with a manifest of a new World that names it. @throws Refusal */
export async function loadSource(
  purpose: Purpose,
  { id, slug, files: listed }: WorldSourceView,
): Promise<WorldFiles> {
  const files = new Map<string, Content>()
  const waiting = [...listed]
  const load = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      files.set(file.path, await contentOf(await loadFile(slug, file.path)))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, load))
  const manifest = files.get(MANIFEST_PATH)
  if (purpose === 'remix' && typeof manifest === 'string') {
    files.set(MANIFEST_PATH, remixManifest(manifest, id, newSuffix()))
  }
  return { name: slug, files, leftOut: [] }
}

/** Address of the World that tools begin with, too; builds put it there. */
const TEMPLATE = '/downloads/world-template.zip'

/** Loads the template of a World. @throws Refusal where the site has none. */
export async function loadTemplate(): Promise<WorldFiles> {
  const response = await fetch(TEMPLATE)
  if (!response.ok) throw new Refusal(response.status, 'This site has no template.')
  const template = await fromZip(new File([await response.blob()], 'my-world.zip'))
  const files = new Map(template.files)
  const manifest = files.get(MANIFEST_PATH)
  if (typeof manifest === 'string') files.set(MANIFEST_PATH, templateManifest(manifest, newSuffix()))
  return { ...template, name: 'My World', files }
}
