import type { ManifestAnswer, WorldPreviewAnswer } from '../../api/studio/worlds-schemas.ts'
import type { PreviewView } from '../../site-data/world-preview.ts'
import { ask, NoAnswer, Refusal } from '../wallet/session/requests.ts'

/** How far the sending is, 0 to 1; at 1 the server begins to check. */
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

/** A preview as its World would be met. @throws Refusal, NoAnswer */
export async function fetchPreview(id: string): Promise<PreviewView> {
  return (await ask('GET', `/worlds/upload/preview?${new URLSearchParams({ id })}`)) as PreviewView
}

/** Leaves nothing of a preview, also while the page goes. */
export function endPreview(id: string): void {
  const path = `/studio/api/world-previews/${encodeURIComponent(id)}`
  fetch(path, { method: 'DELETE', keepalive: true }).catch(() => {
    // Its time ends it all the same.
  })
}

/** What is wrong with a manifest by itself. @throws Refusal, NoAnswer */
export async function checkManifest(manifest: string): Promise<ManifestAnswer> {
  return (await ask('POST', '/studio/api/world-manifests', { manifest })) as ManifestAnswer
}

/** @returns the slug of the World. @throws Refusal, NoAnswer */
export async function publishBundle(bundle: Blob, onShare: OnShare): Promise<string> {
  const text = await sendBundle('/services/worlds/upload', bundle, onShare)
  return (JSON.parse(text) as { slug: string }).slug
}

/** `fetch` does not tell how far an upload is. */
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

/** Refusals around Worlds are plain text, or JSON with a message. */
function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') {
      return body.message
    }
  } catch {
    // Plain text.
  }
  return text
}
