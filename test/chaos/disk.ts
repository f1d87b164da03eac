import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Room for an empty database, its log and what a hundred rounds store. */
const MIB = 1024 * 1024
const SIZE_MIB = 900

/** A file system of its own, small enough to be filled. */
export interface Disk {
  readonly folder: string
  /** Takes all room but so many bytes; what is stored stays. */
  fill(leave: number): void
  free(): void
  /** Takes the file system away, with all that is in it. */
  unmount(): void
}

/**
 * Mounts a file system in memory at `folder`.
 *
 * @returns undefined where this process may not mount: only administrators of a Linux machine may.
 */
export function mountDisk(folder: string): Disk | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=755`, 'tmpfs', folder], {
      stdio: 'pipe',
    })
  } catch {
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill(leave) {
      const { bavail, bsize } = statfsSync(folder)
      const chunk = new Uint8Array(MIB)
      try {
        for (let left = bavail * bsize - leave; left > 0; left -= chunk.byteLength) {
          writeFileSync(ballast, chunk.subarray(0, Math.min(left, MIB)), { flag: 'a' })
        }
      } catch (error) {
        // Somebody else took the rest meanwhile: it is full.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => execFileSync('umount', [folder], { stdio: 'pipe' }),
  }
}
