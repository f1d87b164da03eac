import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { rpc } from './anvil.ts'
import { readJson, writeWhole } from './files.ts'

const POLL_MS = 250

/** Keeps the development chain's state on disk. Anvil's own dump can be cut off half-way; this one cannot. */
export interface ChainState {
  /** The newest usable state file, or undefined for a new chain. */
  load(): string | undefined
  /** Writes the state if the chain moved since the last time. */
  save(rpcUrl: string): Promise<void>
  /** Saves soon after every block until the returned function is called. */
  follow(rpcUrl: string): () => void
}

export function openChainState(folder: string): ChainState {
  const current = join(folder, 'state.json')
  const previous = join(folder, 'state.previous.json')
  let savedHead: string | undefined
  let saving: Promise<void> = Promise.resolve()

  const saveNow = async (rpcUrl: string): Promise<void> => {
    const block = (await rpc(rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as { hash: string }
    if (block.hash === savedHead) return
    const dump = (await rpc(rpcUrl, 'anvil_dumpState', [], 30_000)) as string
    if (existsSync(current)) renameSync(current, previous)
    writeWhole(current, gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString('utf8'))
    savedHead = block.hash
  }

  // One at a time: two dumps would write over each other.
  const save = (rpcUrl: string): Promise<void> => {
    const mine = saving.catch(() => {}).then(() => saveNow(rpcUrl))
    saving = mine
    return mine
  }

  return {
    load() {
      savedHead = undefined
      for (const file of [current, previous]) {
        if (!existsSync(file)) continue
        if (typeof readJson(file) === 'object') return file
        renameSync(file, `${file}.broken`)
      }
      return undefined
    },
    save,
    follow(rpcUrl) {
      let running = true
      void (async () => {
        while (running) {
          await sleep(POLL_MS, undefined, { ref: false })
          // A chain that is down is the supervisor's business.
          if (running) await save(rpcUrl).catch(() => {})
        }
      })()
      return () => {
        running = false
      }
    },
  }
}
