import type { BrowserContext, Page } from 'playwright'

/** Taps what goes to the speakers: `level()` is the loudest sample of the last 40 ms. */
export function tapSpeakers(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const connect = AudioNode.prototype.connect
    AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
      if (args[0] instanceof AudioDestinationNode && this.context instanceof AudioContext) {
        const analyser = this.context.createAnalyser()
        analyser.fftSize = 2048
        Reflect.apply(connect, this, [analyser])
        const samples = new Float32Array(analyser.fftSize)
        Object.assign(window, {
          level: () => {
            analyser.getFloatTimeDomainData(samples)
            return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
          },
        })
      }
      return Reflect.apply(connect, this, args)
    } as typeof connect
  })
}

/** The loudest sample of half a second. */
export function loudest(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const level = (window as unknown as { level?: () => number }).level ?? (() => 0)
    let most = 0
    for (const until = performance.now() + 500; performance.now() < until; ) {
      most = Math.max(most, level())
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return most
  })
}
