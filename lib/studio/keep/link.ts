import { tabMemory } from '#lib/browser/memory.ts'
import { withIds } from '../document/adopt.ts'
import { type FileRead, type Opened, readFile, writeFile } from '../document/file.ts'
import { newId } from '../document/types.ts'

/** Longest fragment of a link that holds a whole draft: mail programs and messengers cut longer ones. */
export const MAX_LINK_LENGTH = 8 * 1024
/** Longest fragment that is opened: a page that leads to a draft sends no message. */
const MAX_OPENED_LENGTH = 512 * 1024

/** Largest draft that a link is inflated to, in bytes. */
const MAX_INFLATED_BYTES = 1024 * 1024

const DRAFT = '#draft='
const SHARED = '#shared='
/** Characters of a packed draft and of an id. */
const PACKED = /^[\w-]+/

/** Target of the fragment of an address; undefined for another fragment. */
export type SharedAddress =
  | { readonly kind: 'draft'; readonly packed: string }
  /** Stored on the server. */
  | { readonly kind: 'stored'; readonly id: string }

export function readSharedAddress(hash: string): SharedAddress | undefined {
  const address = plainFragment(hash)
  const after = (begin: string) => PACKED.exec(address.slice(begin.length))?.[0] ?? ''
  if (address.startsWith(DRAFT)) return { kind: 'draft', packed: after(DRAFT) }
  if (address.startsWith(SHARED)) return { kind: 'stored', id: after(SHARED) }
  return undefined
}

/** A fragment without what messengers do to links: escape them, once or twice, and put invisible characters into them. */
function plainFragment(hash: string): string {
  let text = hash
  try {
    for (let times = 0; times < 3 && text.includes('%'); times++) text = decodeURIComponent(text)
  } catch {
    // A percent sign behind the link.
  }
  return text.replace(/[\p{Cf}\s]/gu, '').replace(/^#+/, '#')
}

/** Path of the studio that opens a stored draft. */
export function storedHref(id: string): string {
  return `/studio${SHARED}${id}`
}

/** Path of the studio that holds a whole draft. It may be longer than a link should be: `fitsLink` decides. */
export async function draftHref(opened: Opened): Promise<string> {
  let ids = 0
  // Random ids are most of what does not compress.
  const small = withIds(opened, () => (ids++).toString(36))
  const text = JSON.stringify(JSON.parse(writeFile(small)))
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return `/studio${DRAFT}${toBase64Url(new Uint8Array(await new Response(stream).arrayBuffer()))}`
}

/** In the memory of the tab: a link alone adds nothing to the reader's work. */
const KEEP = 'weft-keep'

/** Has the studio keep what `href` holds as soon as this tab opens it. */
export function keepOnArrival(href: string): void {
  tabMemory.write(KEEP, new URL(href, window.location.href).hash)
}

/** Whether `keepOnArrival` was called for the address of the page; true once. */
export function takeKeepOnArrival(): boolean {
  const isMeant = tabMemory.read(KEEP) === window.location.hash
  tabMemory.write(KEEP, undefined)
  return isMeant
}

export function fitsLink(href: string): boolean {
  return href.length - href.indexOf('#') <= MAX_LINK_LENGTH
}

const BROKEN = 'This link does not hold a draft: a part of it is missing, or it was changed.'

/** Unpacks the draft that a link holds. Its ids are new. Links are untrusted input: each limit is checked before work. */
export async function unpackDraft(packed: string): Promise<FileRead> {
  const read = await unpack(packed)
  // The letters of the link that are marks of emphasis elsewhere: `_link_`.
  const bare = packed.replace(/[_-]+$/, '')
  return read.ok || bare === packed ? read : unpack(bare)
}

async function unpack(packed: string): Promise<FileRead> {
  if (packed.length > MAX_OPENED_LENGTH) return refused(`This link is longer than any that the studio makes.`)
  const bytes = fromBase64Url(packed)
  if (bytes === undefined) return refused(BROKEN)
  let text: string | undefined
  try {
    text = await inflate(bytes)
  } catch {
    return refused(BROKEN)
  }
  if (text === undefined) return refused('What this link holds is larger than 1 MiB.')
  return openDraft(readFile(text, newId))
}

/** A draft from a link, fit to be shown: with new ids, and something in front. */
export function openDraft(read: FileRead): FileRead {
  if (!read.ok) {
    const newer = read.problems.find((problem) => problem.includes('newer version'))
    return refused(
      newer === undefined
        ? BROKEN
        : 'This link was made by a newer version of the studio. Reload the page and try again.',
    )
  }
  const { document } = read
  if (document.entries.length === 0) return refused('This link holds a draft without content.')
  const first = document.entries.find(({ kind }) => kind === 'connector') ?? document.entries[0]
  const view =
    read.view.active === null && first !== undefined
      ? {
          tabs: [{ kind: 'entry', entryId: first.id } as const, ...read.view.tabs],
          active: `entry/${first.id}`,
        }
      : read.view
  return { ok: true, ...withIds({ document, view }, newId) }
}

/** Inflates to text; undefined when it would be too large. @throws {Error} for what is not compressed text. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))
    .getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += value
    if (text.length <= MAX_INFLATED_BYTES) continue
    void reader.cancel().catch(() => {})
    return undefined
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Undefined for text that is not base64url. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    )
  } catch {
    return undefined
  }
}

function refused(problem: string): FileRead {
  return { ok: false, problems: [problem] }
}
