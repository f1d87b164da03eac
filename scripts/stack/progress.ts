/** Reports progress to the terminal. */
export interface Progress {
  /** Runs `action` and prints a line with its time when it is done. `update` adds to what is shown meanwhile. */
  step<T>(title: string, action: (update: (detail: string) => void) => Promise<T>): Promise<T>
  note(line: string): void
  /** Stops all output: parts that fail during shutdown are not errors. */
  hush(): void
}

const QUIET_MS = 5000

export function createProgress(print: (line: string) => void): Progress {
  let quiet = false
  const write = (line: string) => {
    if (!quiet) print(line)
  }
  return {
    async step(title, action) {
      const began = performance.now()
      let detail = ''
      const elapsed = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
      const timer = setInterval(() => {
        write(`  … ${title}${detail === '' ? '' : `, ${detail}`} (${elapsed()})`)
      }, QUIET_MS)
      try {
        const result = await action((text) => {
          detail = text
        })
        write(`  ✓ ${title} (${elapsed()})`)
        return result
      } catch (error) {
        write(`  ✗ ${title} (${elapsed()})`)
        throw error
      } finally {
        clearInterval(timer)
      }
    },
    hush: () => {
      quiet = true
    },
    note: (line) => write(`  ! ${line}`),
  }
}
