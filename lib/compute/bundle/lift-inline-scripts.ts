import { createHash } from 'node:crypto'
import { type DefaultTreeAdapterTypes, html as markup } from 'parse5'
import { pageWarnings } from './page-warnings.ts'
import { isJavaScriptType, parsePage } from './parse-page.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

export interface LiftedPage {
  /** The page with every inline script replaced by one that names a file and a guard before all; else as it was. */
  readonly html: string
  /** The guard, then the scripts taken out, beside the page, so that their relative imports lead where they led. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }[]
  /** Sentences for the author: what of this page the policy of Worlds will not let happen. */
  readonly warnings: readonly string[]
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Moves the inline scripts of a page into files of their own, because pages of Worlds are served under a policy
 * without inline scripts. Order and timing stay: a classic script still runs where it stands, a module when parsing
 * ends. Also puts a script in the first place that does nothing but carry the prelude, so that a page cannot get around
 * it, and drops `integrity` from scripts, whose bytes the prelude changes.
 *
 * @param path Of the page inside the bundle. The lifted files get names `inline-<16 hex digits>.js` in its folder;
 *   the digits depend on path, position and text alone.
 * @throws {Failure} `invalid_request` when the page has too many tags or nests too deep to be a page.
 */
export function liftInlineScripts(html: string, path: string): LiftedPage {
  const document = parsePage(html, path)
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const edits: Edit[] = [insertion(beginning(document), guardTag(path))]
  const files = [{ path: folder + guardName(path), bytes: new TextEncoder().encode(GUARD) }]
  const elements = [...elementsOf(document)]
  for (const element of elements) {
    const text = inlineScript(element)
    const location = element.sourceCodeLocation
    if (text !== undefined && location?.startTag && location.endTag) {
      const name = `inline-${digest([path, String(files.length), text])}.js`
      files.push({ path: folder + name, bytes: new TextEncoder().encode(text) })
      edits.push({
        start: location.startOffset,
        end: location.endOffset,
        text: scriptTag(element, `./${name}`),
      })
      continue
    }
    for (const [start, end] of integrityAttributes(element)) edits.push({ start, end, text: '' })
  }
  return { html: applyEdits(html, edits), files, warnings: pageWarnings(elements, path) }
}

function guardName(page: string): string {
  return `inline-${digest([page, 'guard'])}.js`
}

function guardTag(page: string): string {
  return `<script src="./${guardName(page)}"></script>`
}

/** The path of the guard of a stored page. */
export function guardPath(page: string): string {
  return page.slice(0, page.lastIndexOf('/') + 1) + guardName(page)
}

/** A stored page as its author would edit it: an upload puts the guard back. */
export function withoutGuard(html: string, page: string): string {
  return html.replace(guardTag(page), '')
}

/** A script of no effect but the prelude that every served script begins with. */
const GUARD = '// The prelude on this line runs before anything else of the page.\n'

/** Where the first script of a page can stand. */
function beginning(document: DefaultTreeAdapterTypes.Document): number {
  const html = document.childNodes.find((node) => node.nodeName === 'html') as Element | undefined
  const head = html?.childNodes.find((node) => node.nodeName === 'head') as Element | undefined
  const doctype = document.childNodes.find((node) => node.nodeName === '#documentType')
  return (
    head?.sourceCodeLocation?.startTag?.endOffset ??
    html?.sourceCodeLocation?.startTag?.endOffset ??
    doctype?.sourceCodeLocation?.endOffset ??
    0
  )
}

function insertion(position: number, text: string): Edit {
  return { start: position, end: position, text }
}

/** Depth first, in the order of the source, the content of templates included. */
function* elementsOf(root: Node): Generator<Element> {
  // A page can nest deeper than the call stack.
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node) yield node
    const children = [
      ...('childNodes' in node ? node.childNodes : []),
      ...('content' in node ? [node.content] : []),
    ]
    for (const child of children.toReversed()) waiting.push(child)
  }
}

/** The text of an inline script that browsers would run; undefined for everything else. */
function inlineScript(element: Element): string | undefined {
  if (element.tagName !== 'script') return undefined
  const attribute = attributesOf(element)
  if (attribute.has('src')) return undefined
  if (isSvg(element) && (attribute.has('href') || attribute.has('xlink:href'))) return undefined
  if (!isJavaScriptType(attribute.get('type'), attribute.get('language'))) return undefined
  const text = element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')
  return text.trim() === '' ? undefined : text
}

/** The start and end tag of the script with `source` in the place of its text. */
function scriptTag(element: Element, source: string): string {
  const ownAttributes = element.attrs.filter(({ name }) => !DROPPED.has(name))
  const isModule = attributesOf(element).get('type')?.trim().toLowerCase() === 'module'
  const asynchronous = element.attrs.filter(({ name }) => name === 'async' && isModule)
  const attributes = [
    ...ownAttributes,
    ...asynchronous,
    { name: isSvg(element) ? 'href' : 'src', value: source },
  ]
    .map(({ name, prefix, value }) => ` ${prefix ? `${prefix}:` : ''}${name}="${escapeAttribute(value)}"`)
    .join('')
  return `<script${attributes}></script>`
}

/** Ignored on inline scripts, but not on those with a source. */
const DROPPED: ReadonlySet<string> = new Set([
  'async',
  'defer',
  'integrity',
  'crossorigin',
  'charset',
  'nonce',
])

/** Where `integrity` stands in a tag that loads a script, with the space before it. */
function integrityAttributes(element: Element): readonly (readonly [number, number])[] {
  const attribute = attributesOf(element)
  const loadsScript =
    element.tagName === 'script' ||
    (element.tagName === 'link' && /preload/i.test(attribute.get('rel') ?? ''))
  const location = element.sourceCodeLocation?.attrs?.integrity
  return loadsScript && location ? [[location.startOffset, location.endOffset]] : []
}

function attributesOf(element: Element): ReadonlyMap<string, string> {
  return new Map(
    element.attrs.map(({ name, prefix, value }) => [prefix ? `${prefix}:${name}` : name, value] as const),
  )
}

function isSvg(element: Element): boolean {
  return element.namespaceURI === markup.NS.SVG
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let position = 0
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    // Misnested tags can be seen twice.
    if (start < position) continue
    result += text.slice(position, start) + replacement
    position = end
  }
  return result + text.slice(position)
}
