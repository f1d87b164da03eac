import { ask, messageOf, NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { siteClock } from '#lib/browser/site-clock.ts'
import type {
  PublishedUploadAnswer,
  UploadAddressAnswer,
} from '#lib/server/operations/studio/world-uploads.ts'
import type { ComparisonAnswer, WorldPreviewAnswer } from '#lib/server/operations/studio/worlds.ts'
import { fetchNetwork } from '#lib/ui/wallet/connect/network.ts'
import type { PreviewView } from '#lib/views/world.ts'

/** Progress of the upload, 0 to 1; at 1 the server begins to check. */
type OnShare = (share: number) => void

/** Begins a preview of a bundle. @throws Refusal with everything that is wrong with it; NoAnswer. */
export async function startPreview(
  bundle: Blob,
  signedIn: boolean,
  onShare: OnShare,
  signal: AbortSignal,
): Promise<WorldPreviewAnswer> {
  if (await goesToBucket(bundle)) {
    if (!signedIn)
      throw new Refusal(403, 'Sign in first: this site takes bundles over 4 MB of accounts only.')
    const json = { key: await sendToBucket(bundle, onShare, signal) }
    return (await ask('POST', '/studio/api/world-uploads/preview', json)) as WorldPreviewAnswer
  }
  const text = await sendBundle('/studio/api/world-previews', bundle, onShare, signal)
  return JSON.parse(text) as WorldPreviewAnswer
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

/** @returns the slug of the World. @throws Refusal, NoAnswer */
export async function publishBundle(bundle: Blob, onShare: OnShare): Promise<string> {
  if (await goesToBucket(bundle)) {
    const json = { key: await sendToBucket(bundle, onShare) }
    const published = await ask('POST', '/studio/api/world-uploads/publication', json)
    return (published as PublishedUploadAnswer).slug
  }
  const text = await sendBundle('/services/worlds/upload', bundle, onShare)
  return (JSON.parse(text) as { slug: string }).slug
}

/** Platforms that limit requests take 4.5 MB, with the form around the bundle. */
const DIRECT_BYTES = 4_000_000

/** Whether the site has large bundles sent to its bucket. @throws Refusal, NoAnswer */
async function goesToBucket(bundle: Blob): Promise<boolean> {
  if (bundle.size <= DIRECT_BYTES) return false
  return (await fetchNetwork()).bundles_by_address
}

/** @returns the key that completes the upload. @throws Refusal, NoAnswer */
async function sendToBucket(bundle: Blob, onShare: OnShare, signal?: AbortSignal): Promise<string> {
  const address = await ask('POST', '/studio/api/world-uploads', { bytes: bundle.size })
  const { key, url, type } = address as UploadAddressAnswer
  // Browsers send the type of a blob as the header.
  await send('PUT', url, bundle.slice(0, bundle.size, type), onShare, signal).catch((error: unknown) => {
    throw error instanceof Refusal || error instanceof NoAnswer
      ? new NoAnswer("The site's store of files does not take the bundle", { cause: error })
      : error
  })
  return key
}

function sendBundle(path: string, bundle: Blob, onShare: OnShare, signal?: AbortSignal): Promise<string> {
  return send('POST', path, formWith('bundle', bundle), onShare, signal)
}

/** By XMLHttpRequest: `fetch` does not report upload progress. */
function send(
  method: 'POST' | 'PUT',
  url: string,
  body: FormData | Blob,
  onShare: OnShare,
  signal?: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onShare(1)
    request.onload = () => {
      siteClock.note({ get: (name) => request.getResponseHeader(name) })
      if (request.status >= 200 && request.status < 300) resolve(request.responseText)
      else reject(new Refusal(request.status, messageOf(request.responseText)))
    }
    request.onerror = () => reject(new NoAnswer('The site does not answer'))
    request.onabort = () => reject(signal?.reason ?? new NoAnswer('Given up'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

/** Compares a bundle with the published one. @throws Refusal with all problems; NoAnswer. */
export async function compareBundle(worldId: string, bundle: Blob): Promise<ComparisonAnswer> {
  const path = `/studio/api/worlds/${encodeURIComponent(worldId)}/comparison`
  return (await ask('POST', path, formWith('bundle', bundle))) as ComparisonAnswer
}

/** @throws Refusal, NoAnswer */
export async function replaceBundle(worldId: string, bundle: Blob): Promise<void> {
  await ask('PATCH', `/services/worlds/${encodeURIComponent(worldId)}`, formWith('bundle', bundle))
}

/** Stores a PNG as the preview of a World. @throws Refusal, NoAnswer */
export async function putPicture(worldId: string, picture: Blob): Promise<void> {
  const path = `/studio/api/worlds/${encodeURIComponent(worldId)}/picture`
  await ask('PUT', path, formWith('picture', picture))
}

/** @throws Refusal, NoAnswer */
export async function deletePicture(worldId: string): Promise<void> {
  await ask('DELETE', `/studio/api/worlds/${encodeURIComponent(worldId)}/picture`)
}

/** @throws Refusal, NoAnswer */
export async function deleteWorld(worldId: string): Promise<void> {
  await ask('DELETE', `/services/worlds/${encodeURIComponent(worldId)}`)
}

function formWith(field: string, file: Blob): FormData {
  const form = new FormData()
  form.set(field, file, field)
  return form
}
