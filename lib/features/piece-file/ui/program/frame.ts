/*
 * The first script in the frame of a World: writes the World's page from the bundle in the frame, whose only network is
 * the blobs that are made here. Its own script carries the prelude before anything of the World runs.
 */
import type { WorldData } from '../../data.ts'
import { bytesOf } from './file-bytes.ts'
import { linkBundle } from './linked-bundle.ts'

interface Opening {
  readonly world: WorldData
  readonly token: string
  readonly policy: string
}

const { world, token, policy } = JSON.parse(
  document.getElementById('weft-opening')?.textContent ?? '',
) as Opening

addEventListener('load', () => {
  const { page, resolve } = linkBundle(world, policy, bytesOf, openBlob)
  // The page of a World finds its token here.
  location.hash = `?${new URLSearchParams({ dcnWorldChannel: token, worldChannel: token })}`
  const load = globalThis.fetch
  const linked = (input: unknown) =>
    typeof input === 'string' || input instanceof URL ? resolve(String(input)) : undefined
  globalThis.fetch = (input, init) => load(linked(input) ?? input, init)
  for (const each of [HTMLImageElement, HTMLMediaElement, HTMLSourceElement, HTMLScriptElement]) {
    const src = Object.getOwnPropertyDescriptor(each.prototype, 'src')
    if (src?.set === undefined) continue
    const { set } = src
    Object.defineProperty(each.prototype, 'src', {
      ...src,
      set(value: unknown) {
        set.call(this, linked(value) ?? value)
      },
    })
  }
  document.open()
  document.write(page)
  document.close()
})

function openBlob(content: BlobPart, type: string): string {
  return URL.createObjectURL(new Blob([content], { type }))
}
