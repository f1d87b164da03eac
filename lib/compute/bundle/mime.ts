/** Media types of the files that a bundle may hold, by extension. Text is UTF-8. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['htm', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json'],
  ['map', 'application/json'],
  ['txt', 'text/plain; charset=utf-8'],
  ['md', 'text/markdown; charset=utf-8'],
  ['csv', 'text/csv; charset=utf-8'],
  ['xml', 'application/xml; charset=utf-8'],
  ['musicxml', 'application/xml; charset=utf-8'],
  ['glsl', 'text/plain; charset=utf-8'],
  ['wgsl', 'text/plain; charset=utf-8'],
  ['vert', 'text/plain; charset=utf-8'],
  ['frag', 'text/plain; charset=utf-8'],
  ['svg', 'image/svg+xml; charset=utf-8'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
  ['ico', 'image/x-icon'],
  ['woff', 'font/woff'],
  ['woff2', 'font/woff2'],
  ['ttf', 'font/ttf'],
  ['otf', 'font/otf'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['mid', 'audio/midi'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['wasm', 'application/wasm'],
  ['glb', 'model/gltf-binary'],
  ['gltf', 'model/gltf+json'],
  ['obj', 'model/obj'],
  ['mtl', 'model/mtl'],
  ['bin', 'application/octet-stream'],
])

/** Media type of a file of a World; undefined when bundles may not hold such files. */
export function mediaType(path: string): string | undefined {
  return MEDIA_TYPES.get(extension(path))
}

/** Whether browsers run the file as a script. */
export function isScript(path: string): boolean {
  return extension(path) === 'js' || extension(path) === 'mjs'
}

/** Whether the file is a page that may hold scripts. Other documents, SVG and XML, may not run any. */
export function isPage(path: string): boolean {
  return extension(path) === 'html' || extension(path) === 'htm'
}

/** Whether the file is text that people read and edit. */
export function isText(path: string): boolean {
  return /^text\/|[/+](json|xml)(;|$)/.test(mediaType(path) ?? '')
}

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
}

/** Extensions of the files that bundles may hold. */
export function bundleExtensions(): readonly string[] {
  return [...MEDIA_TYPES.keys()]
}
