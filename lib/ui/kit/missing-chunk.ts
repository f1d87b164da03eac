/** The address of a script that could not be loaded; undefined for other errors. */
function missingScript(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ChunkLoadError') return undefined
  return /(\/_next\/static\/[^\s?]+\.js)/.exec(error.message)?.[1]
}

/** Whether code of the page could not be loaded: a cut, a proxy in trouble, or a deployment that took the file away. */
export function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChunkLoadError' || /dynamically imported module/.test(error.message))
  )
}

/** More files than one import loads. */
const MAX_FILES = 16

/**
 * Imports a module; a file of it that does not come is requested once more. Bundlers remember that a file did not come, so
 * it is put on the page from outside of them.
 *
 * @param load For instance `() => import('#lib/ui/components/part.tsx')`.
 */
export async function importAgain<T>(load: () => Promise<T>): Promise<T> {
  let before: string | undefined
  for (let files = 0; ; files++) {
    try {
      return await load()
    } catch (error) {
      const script = missingScript(error)
      if (script === undefined || script === before || files === MAX_FILES) throw error
      before = script
      await addScript(script).catch(() => {
        throw error
      })
    }
  }
}

function addScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error(`${src} does not load`))
    }
    document.head.append(script)
  })
}

/** @returns whether the site has a new version, which no longer has a file of this page. */
export async function isOutdated(error: unknown): Promise<boolean> {
  const script = missingScript(error)
  if (script === undefined) return false
  try {
    return (await fetch(script, { method: 'HEAD', cache: 'no-store' })).status === 404
  } catch {
    return false
  }
}
