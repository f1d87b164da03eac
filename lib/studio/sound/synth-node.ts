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
    await context.audioWorklet.addModule(url)
  } finally {
    URL.revokeObjectURL(url)
  }
  return new AudioWorkletNode(context, 'weft-synth', {
    numberOfInputs: 0,
    outputChannelCount: [2],
    processorOptions,
  })
}
