/** Format that `joinWebm` of `webm.ts` reads. */
const TYPE = 'audio/webm;codecs=opus'
const BITS_PER_SECOND = 192_000

/** Returns whether this browser records sound that can be joined with a clip. */
export function recordsSound(): boolean {
  return typeof MediaRecorder === 'function' && MediaRecorder.isTypeSupported(TYPE)
}

/** Records what a node sounds from now on. @returns what ends it, and gives the file. */
export function recordNode(context: AudioContext, node: AudioNode): () => Promise<Uint8Array> {
  const tap = context.createMediaStreamDestination()
  node.connect(tap)
  const recorder = new MediaRecorder(tap.stream, { mimeType: TYPE, audioBitsPerSecond: BITS_PER_SECOND })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const ended = new Promise((resolve) => {
    recorder.onstop = resolve
  })
  recorder.start()
  return async () => {
    recorder.stop()
    await ended
    node.disconnect(tap)
    return new Uint8Array(await new Blob(parts).arrayBuffer())
  }
}
