import type { DefaultTreeAdapterTypes } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element

/** Attributes whose URL a browser loads automatically, by element. */
const LOADED: ReadonlyMap<string, readonly string[]> = new Map([
  ['script', ['src', 'href']],
  ['img', ['src', 'srcset']],
  ['image', ['href']],
  ['source', ['src', 'srcset']],
  ['video', ['src', 'poster']],
  ['audio', ['src']],
  ['track', ['src']],
  ['link', ['href']],
  ['input', ['src']],
])

const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe'])

/**
 * Parts of a page that cannot work in a World, one sentence for each kind.
 *
 * @param path Of the page, to name it.
 */
export function pageWarnings(elements: readonly Element[], path: string): readonly string[] {
  const warnings = new Set<string>()
  for (const element of elements) {
    for (const problem of problemsOf(element)) warnings.add(`${path}: ${problem}`)
  }
  return [...warnings]
}

function* problemsOf(element: Element): Generator<string> {
  const { tagName, attrs } = element
  const attribute = new Map(attrs.map(({ name, value }) => [name, value] as const))
  for (const { name, value } of attrs) {
    if (/^on[a-z]/.test(name)) yield `the inline handler ${name} will not run; use addEventListener`
    if (/^(href|src|action|formaction)$/.test(name) && isJavaScriptUrl(value)) {
      yield 'javascript: URLs will not run; use addEventListener'
    }
  }
  for (const name of LOADED.get(tagName) ?? []) {
    const url = attribute.get(name)
    if (url !== undefined && isForeign(url)) {
      yield `${clip(url)} will not load; put the file into the bundle`
    }
  }
  const type = attribute.get('type')?.trim().toLowerCase()
  if (tagName === 'script' && type === 'importmap') {
    yield 'import maps are not supported; import by relative paths'
  }
  if (tagName === 'script' && attribute.has('integrity')) {
    yield 'integrity was taken off a script, because served scripts begin with a prelude'
  }
  if (tagName === 'base') yield 'the base element is ignored'
  if (FRAMES.has(tagName)) yield `the element ${tagName} will not load anything`
  if (tagName === 'form' && attribute.has('action')) yield 'forms cannot be sent anywhere'
  if (tagName === 'meta' && attribute.get('http-equiv')?.toLowerCase() === 'refresh') {
    yield 'the page cannot lead elsewhere by a refresh'
  }
}

function isJavaScriptUrl(url: string): boolean {
  // Browsers skip leading controls and spaces, and tabs and newlines anywhere.
  return /^javascript:/i.test(url.replace(/[\t\n\r]/g, '').trim())
}

function isForeign(url: string): boolean {
  return /(^|[\s,])(https?:|wss?:)?\/\//i.test(url.trim())
}

function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`
}
