const ASSET = /^\/_next\/static\/[\w.~/-]+$/

/** How scripts name those that they load later. */
const NAMED = /static\/(?:chunks|media)\/[\w.~/-]+\.(?:js|css|woff2|wasm)/g

/** Whether a path is that of a file of the build, whose name changes with its content. */
export function isAsset(path: string): boolean {
  return ASSET.test(path) && !path.includes('..')
}

/** Paths of the files that a script names. */
export function assetsIn(script: string): readonly string[] {
  return [...new Set(script.match(NAMED))].map((path) => `/_next/${path}`).filter(isAsset)
}
