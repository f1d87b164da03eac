import { preludeFor } from '#lib/core/worlds/sdk/prelude.ts'
import type { WorldData, WorldFileData } from '../../data.ts'

/*
 * A bundle without a server: each file becomes a blob of the frame, and what names another file of the bundle names its blob
 * instead. Names are only replaced where the bundle has the file, so text that merely looks like a reference stays.
 */

/** Where the files of a World seem to be; nothing is ever loaded from there. */
const ROOT = 'https://world.invalid/services/world-assets/world/'
const RUNTIME = 'https://world.invalid/services/js/sdk/world-runtime.js'

const IMPORT = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s*)(["'])([^"'\n]+)\2/g
const META_URL = /\bimport\s*\.\s*meta\s*\.\s*url\b/g
const STYLE_URL = /(\burl\(\s*)(["']?)([^"')\n]+)\2(\s*\))|(@import\s+)(["'])([^"'\n]+)\6/g
const LINKS = ['src', 'href', 'poster', 'data'] as const

interface LinkedBundle {
  /** Markup of the World's page. */
  readonly page: string
  /** Address of the blob of a file that the World names; undefined for all else. */
  readonly resolve: (reference: string) => string | undefined
}

/** @param openBlob Address of a blob with this content. */
export function linkBundle(
  { entry, files, runtime }: WorldData,
  policy: string,
  bytesOf: (file: WorldFileData) => Uint8Array<ArrayBuffer>,
  openBlob: (content: BlobPart, type: string) => string,
): LinkedBundle {
  const byUrl = new Map(files.map((file) => [urlOf(file.path, ROOT), file]))
  const opened = new Map<WorldFileData, string>()
  /** Files that are being linked: what names one of them in a circle finds none. */
  const linking = new Set<WorldFileData>()
  let sdk: string | undefined

  const script = (text: string, base: string): string => {
    const linked = text
      .replaceAll(META_URL, () => JSON.stringify(base))
      .replaceAll(IMPORT, (all, before: string, quote: string, reference: string) => {
        const blob = resolve(reference, base)
        return blob === undefined ? all : `${before}${quote}${blob}${quote}`
      })
    return preludeFor(linked) + linked.replace(/^\ufeff?(#!.*)?/, '')
  }
  const style = (text: string, base: string): string =>
    text.replaceAll(
      STYLE_URL,
      (
        all,
        open: string,
        quote: string,
        url: string,
        close: string,
        rule: string,
        mark: string,
        sheet: string,
      ) => {
        const blob = resolve(url ?? sheet, base)
        if (blob === undefined) return all
        return url === undefined ? `${rule}${mark}${blob}${mark}` : `${open}${quote}${blob}${quote}${close}`
      },
    )
  const resolve = (reference: string, base: string): string | undefined => {
    const url = urlOf(reference, base)
    if (url === RUNTIME) {
      sdk ??= openBlob(preludeFor(runtime) + runtime, 'text/javascript')
      return sdk
    }
    const file = byUrl.get(url)
    if (file === undefined || linking.has(file)) return undefined
    const entry = opened.get(file)
    if (entry !== undefined) return entry
    linking.add(file)
    const blob = openBlob(contentOf(file, url), file.type)
    linking.delete(file)
    opened.set(file, blob)
    return blob
  }
  const contentOf = (file: WorldFileData, url: string): BlobPart => {
    if (file.text === undefined) return bytesOf(file)
    if (file.type.startsWith('text/javascript')) return script(file.text, url)
    return file.type.startsWith('text/css') ? style(file.text, url) : file.text
  }
  const base = urlOf(entry, ROOT)
  const page = byUrl.get(base)
  return {
    page: linkPage(page?.text ?? '', policy, {
      resolve: (reference) => resolve(reference, base),
      script: (text) => openBlob(script(text, base), 'text/javascript'),
      style: (text) => style(text, base),
    }),
    resolve: (reference) => resolve(reference, base),
  }
}

interface Links {
  readonly resolve: (reference: string) => string | undefined
  readonly script: (text: string) => string
  readonly style: (text: string) => string
}

/** The page with blobs in place of its files and of the scripts in it, and with the policy and the prelude before all else. */
function linkPage(markup: string, policy: string, { resolve, script, style }: Links): string {
  const page = new DOMParser().parseFromString(markup, 'text/html')
  for (const element of page.querySelectorAll('base, meta[http-equiv]')) element.remove()
  for (const element of page.querySelectorAll('script')) {
    const type = element.type.trim().toLowerCase()
    element.removeAttribute('integrity')
    if (element.hasAttribute('src')) continue
    if (type !== '' && type !== 'module' && !/^(text|application)\/(x-)?(java|ecma)script$/.test(type))
      continue
    element.src = script(element.textContent)
    element.textContent = ''
  }
  for (const element of page.querySelectorAll('style')) element.textContent = style(element.textContent)
  for (const name of LINKS) {
    for (const element of page.querySelectorAll(`:not(a)[${name}]`)) {
      const blob = resolve(element.getAttribute(name) ?? '')
      if (blob !== undefined) element.setAttribute(name, blob)
    }
  }
  const walls = page.createElement('meta')
  walls.httpEquiv = 'Content-Security-Policy'
  walls.content = policy
  // Opening the document anew drops the listeners of the prelude, and a World may have no script that carries it.
  const seal = page.createElement('script')
  seal.src = script('')
  page.head.prepend(walls, seal)
  return `<!doctype html>${page.documentElement.outerHTML}`
}

function urlOf(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href.replace(/[?#].*$/, '') : ''
}
