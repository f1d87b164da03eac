import type { ComparisonAnswer } from '../../server/operations/studio/worlds.ts'
import { NoAnswer, Refusal } from '../wallet/session/requests.ts'

/** Compares a bundle with the published one. @throws Refusal with all problems; NoAnswer. */
export async function compareBundle(worldId: string, bundle: Blob): Promise<ComparisonAnswer> {
  const path = `/studio/api/worlds/${encodeURIComponent(worldId)}/comparison`
  return JSON.parse(await send('POST', path, { bundle })) as ComparisonAnswer
}

/** @throws Refusal, NoAnswer */
export async function replaceBundle(worldId: string, bundle: Blob): Promise<void> {
  await send('PATCH', `/services/worlds/${encodeURIComponent(worldId)}`, { bundle })
}

/** Stores a PNG as the preview of a World. @throws Refusal, NoAnswer */
export async function putPicture(worldId: string, picture: Blob): Promise<void> {
  await send('PUT', `/studio/api/worlds/${encodeURIComponent(worldId)}/picture`, { picture })
}

/** @throws Refusal, NoAnswer */
export async function deletePicture(worldId: string): Promise<void> {
  await send('DELETE', `/studio/api/worlds/${encodeURIComponent(worldId)}/picture`)
}

/** @throws Refusal, NoAnswer */
export async function deleteWorld(worldId: string): Promise<void> {
  await send('DELETE', `/services/worlds/${encodeURIComponent(worldId)}`)
}

async function send(method: string, path: string, files?: Readonly<Record<string, Blob>>): Promise<string> {
  const form = new FormData()
  for (const [field, file] of Object.entries(files ?? {})) form.set(field, file, field)
  let response: Response
  let text: string
  try {
    response = await fetch(path, { method, ...(files && { body: form }) })
    text = await response.text()
  } catch (cause) {
    throw new NoAnswer('The site does not answer', { cause })
  }
  if (response.ok) return text
  throw new Refusal(response.status, messageOf(text))
}

/** The message of an error body: plain text, or JSON with a `message`. */
export function messageOf(text: string): string {
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
