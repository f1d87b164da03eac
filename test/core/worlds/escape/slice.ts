import { constants, factsOf } from './board.ts'
import { CHANNELS } from './channels.ts'
import { openTrap } from './trap.ts'

/** Channels of every sort that can share one page. */
const NAMES = new Set([
  'fetch',
  'XMLHttpRequest',
  'sendBeacon',
  'WebSocket',
  'EventSource',
  'WebTransport',
  'image',
  'stylesheet',
  'CSS background',
  'FontFace',
  'script',
  'dynamic import',
  'frame',
  'srcdoc frame with an image',
  'data: frame',
  'blob: frame',
  'object',
  'blob worker',
  'eval',
  'WebAssembly',
  'WebRTC STUN over UDP',
])

/** A few channels of the board in one page that tries them all when it opens. */
export interface Slice {
  /** Source of the whole page, with `ran` as its text once every channel was tried. */
  readonly html: string
  readonly names: readonly string[]
  /** Names of the channels whose traps something has reached. */
  caught(): readonly string[]
  close(): Promise<void>
}

/** @param head More of the page. */
export async function openSlice(head = ''): Promise<Slice> {
  const trials = await Promise.all(
    CHANNELS.filter(({ name }) => NAMES.has(name)).map(async (channel) => ({
      channel,
      trap: await openTrap(),
    })),
  )
  const script = trials
    .map(({ channel, trap }) => `(() => { ${constants(factsOf(trap))} ${channel.script} })()`)
    .map((attempt) => `try { ${attempt} } catch {}`)
    .join('\n')
    .replaceAll('</script', '<\\/script')
  return {
    html: `<!doctype html><html lang="en"><title>Slice</title>${head}<body><p>waiting</p><script>${script}
document.querySelector('p').textContent = 'ran'</script></body></html>`,
    names: trials.map(({ channel }) => channel.name),
    caught: () => trials.filter(({ trap }) => trap.caught.length > 0).map(({ channel }) => channel.name),
    close: async () => {
      await Promise.all(trials.map(({ trap }) => trap.close()))
    },
  }
}
