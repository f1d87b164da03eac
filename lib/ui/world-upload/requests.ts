import type { ManifestAnswer, WorldPreviewAnswer } from '../../server/operations/studio/worlds.ts'
import type { PreviewView } from '../../views/world.ts'
import { ask, NoAnswer, Refusal } from '../wallet/session/requests.ts'
import { messageOf } from '../world/requests.ts'

/** Progress of the upload, 0 to 1; at 1 the server begins to check. */
type OnShare = (share: number) => void

/** Begins a preview of a bundle. @throws Refusal with everything that is wrong with it; NoAnswer. */
export async function startPreview(
  bundle: Blob,
  signedIn: boolean,
  onShare: OnShare,
  signal: AbortSignal,
): Promise<WorldPreviewAnswer> {
  const path = `/studio/api/${signedIn ? 'world-previews' : 'visitor-world-previews'}`
  return JSON.parse(await sendBundle(path, bundle, onShare, signal)) as WorldPreviewAnswer
}

/** @throws Refusal, NoAnswer */
export async function fetchPreview(id: string): Promise<PreviewView> {
  return (await ask('GET', `/worlds/upload/preview?${new URLSearchParams({ id })}`)) as PreviewView
}

/** Deletes a preview, also while the page unloads. */
export function endPreview(id: string): void {
  const path = `/studio/api/world-previews/${encodeURIComponent(id)}`
  fetch(path, { method: 'DELETE', keepalive: true }).catch(() => {
    // It expires anyway.
  })
}

/** Validates a manifest alone. @throws Refusal, NoAnswer */
export async function checkManifest(manifest: string): Promise<ManifestAnswer> {
  return (await ask('POST', '/studio/api/world-manifests', { manifest })) as ManifestAnswer
}

/** @returns the slug of the World. @throws Refusal, NoAnswer */
export async function publishBundle(bundle: Blob, onShare: OnShare): Promise<string> {
  const text = await sendBundle('/services/worlds/upload', bundle, onShare)
  return (JSON.parse(text) as { slug: string }).slug
}

/** By XMLHttpRequest: `fetch` does not report upload progress. */
function sendBundle(path: string, bundle: Blob, onShare: OnShare, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const form = new FormData()
    form.set('bundle', bundle, 'bundle.zip')
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onShare(1)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.responseText)
      else reject(new Refusal(request.status, messageOf(request.responseText)))
    }
    request.onerror = () => reject(new NoAnswer('The site does not answer'))
    request.onabort = () => reject(signal?.reason ?? new NoAnswer('Given up'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}
