import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { ServicesClient } from '../world-kit/services-client.ts'
import { examplePieces } from './network.ts'

/** Stills that are stored at a time: the site codes each of them again. */
const AT_ONCE = 4

/** Folder of the stills of pieces, `<name>.webp`. */
export const STILLS = fileURLToPath(new URL('stills/', import.meta.url))

/**
 * Stores the still of each piece that the site has none of, as an author would. Safe to repeat.
 *
 * @param site Origin of the site.
 * @throws Error with what the site answered.
 */
export async function storeStills(site: string, client: Pick<ServicesClient, 'putStill'>): Promise<void> {
  const waiting = examplePieces.map(({ name }) => name)
  const storeInTurn = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await store(name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, storeInTurn))

  async function store(name: string): Promise<void> {
    const file = join(STILLS, `${name}.webp`)
    if (!existsSync(file) || (await hasStill(site, name))) return
    const image = await loadImage(readFileSync(file))
    const canvas = createCanvas(image.width, image.height)
    canvas.getContext('2d').drawImage(image, 0, 0)
    await client.putStill(name, Uint8Array.from(await canvas.encode('png')))
  }
}

/** A picture that was stored is elsewhere; one that is drawn is at its address. */
async function hasStill(site: string, name: string): Promise<boolean> {
  const { status } = await fetch(`${site}/pictures/connector/${name}.png`, {
    method: 'HEAD',
    redirect: 'manual',
  })
  return status >= 300 && status < 400
}
