import { ask, Refusal } from '#lib/browser/requests.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { readEntities } from './live-library.ts'

/** Between attempts: drafts are saved one after the other, and what is published is listed a moment behind the chain. */
const PAUSE_MS = 1_500
const ATTEMPTS = 40

/** Pictures that go with the publications of a session. */
export class Stills {
  /** The picture taken last of each piece that is not stored yet, by its name. */
  readonly #waiting = new Map<string, Blob>()
  /** The picture that `store` stored last of each piece, by its name. */
  readonly #stored = new Map<string, Blob>()

  /**
   * Stores the picture of a piece once the site has its draft, or lists what was just published, in place of one that still
   * waits. Called again with a picture that is stored, it does nothing. Without success the picture is drawn from the numbers.
   *
   * @param contentHash Of the connector: an earlier one of the name keeps its picture.
   */
  async store(name: string, contentHash: Hash, picture: Blob): Promise<void> {
    const [waiting, stored] = [this.#waiting, this.#stored]
    if (stored.get(name) === picture || waiting.get(name) === picture) return
    waiting.set(name, picture)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      if (waiting.get(name) !== picture) return
      try {
        const [connector] = await readEntities([{ kind: 'connector', name }])
        if (connector?.contentHash !== contentHash) continue
        await sendStill(name, picture)
        stored.set(name, picture)
        // The author may have declined it while it was sent.
        if (!waiting.has(name)) await this.takeBack(name)
        break
      } catch (error) {
        if (error instanceof Refusal && error.status < 500) break
      }
    }
    if (waiting.get(name) === picture) waiting.delete(name)
  }

  /** Undoes `store`, also while the picture waits. Does nothing for a piece whose picture was stored elsewhere. */
  async takeBack(name: string): Promise<void> {
    const picture = this.#stored.get(name)
    this.#waiting.delete(name)
    if (picture === undefined) return
    // Else the next attempt takes it back.
    await this.remove(name).catch(() => this.#stored.set(name, picture))
  }

  /** Removes the picture of a connector of the account, also one that waits to be stored. @throws Refusal, NoAnswer */
  async remove(name: string): Promise<void> {
    this.#waiting.delete(name)
    this.#stored.delete(name)
    await removeStill(name)
  }
}

/** Stores the picture of a connector of the account. @throws Refusal, NoAnswer */
export async function sendStill(name: string, picture: Blob): Promise<void> {
  const form = new FormData()
  form.set('picture', picture, 'still.png')
  await ask('PUT', addressOf(name), form)
}

/** Removes the stored picture of a connector of the account. @throws Refusal, NoAnswer */
export async function removeStill(name: string): Promise<void> {
  await ask('DELETE', addressOf(name))
}

function addressOf(name: string): string {
  return `/studio/api/pieces/${encodeURIComponent(name)}/still`
}
