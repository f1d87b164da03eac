import { SYNTH_SCRIPT } from './built/synth-script.ts'
import type { SynthOptions } from './synth/processor.ts'

/**
 * Loads the synthesiser into a context.
 *
 * @throws {Error} Where the browser has no audio worklets; pages without TLS have none.
 */
export async function createSynthNode(
  context: BaseAudioContext,
  processorOptions: SynthOptions = {},
): Promise<AudioWorkletNode> {
  const url = URL.createObjectURL(new Blob([SYNTH_SCRIPT], { type: 'text/javascript' }))
  try {
    await context.audioWorklet.addModule(url).catch((error: unknown) => {
      if (globalThis.origin !== 'null') throw error
      // Of a page without an origin, such as a file on a disk, worklets load no blob.
      return context.audioWorklet.addModule(`data:text/javascript,${encodeURIComponent(SYNTH_SCRIPT)}`)
    })
  } finally {
    URL.revokeObjectURL(url)
  }
  return new AudioWorkletNode(context, 'weft-synth', {
    numberOfInputs: 0,
    outputChannelCount: [2],
    processorOptions,
  })
}
