import { useEffect, useEffectEvent, useState } from 'react'
import { WorldCaptureError } from '#lib/core/worlds/sdk/capture.ts'
import type { SoundRecording } from '#lib/core/worlds/sdk/clip.ts'
import {
  type Capture,
  type CaptureKind,
  type CaptureOptions,
  CLIP_SECONDS,
  type ClipType,
} from '#lib/core/worlds/sdk/protocol.ts'
import { saveFile } from '#lib/ui/components/save-file.ts'
import { formatBytes } from './error-messages.ts'

/** Captures that a World in a frame offers, and the way to take one. */
export interface CaptureOffer {
  readonly captures: readonly CaptureKind[]
  /** @throws {WorldCaptureError} */
  readonly capture: Capture
  /** Opens the sound of a clip; absent for clips without sound. */
  readonly record?: (() => Promise<SoundRecording>) | undefined
}

/** Calls `onOffer` with what a World can be captured as whenever that changes; undefined for nothing. */
export function useOffer(
  control: CaptureOffer,
  onOffer: ((offer: CaptureOffer | undefined) => void) | undefined,
): void {
  const offers = control.captures.length > 0
  const offer = useEffectEvent((isThere: boolean) => onOffer?.(isThere ? control : undefined))
  useEffect(() => {
    if (!offers) return
    offer(true)
    return () => offer(false)
  }, [offers])
}

export const CLIP_NAMES: Readonly<Record<ClipType, string>> = { mp4: 'MP4', webm: 'WebM' }

/** Saves pictures and clips of Worlds, one at a time. */
export function useCapture() {
  const [{ busy, failed, message }, setState] = useState({ busy: false, failed: false, message: '' })
  return {
    busy,
    failed,
    /** Progress or end of a capture, as a sentence; empty before the first capture. */
    message,
    /** Saves a picture or a clip, unless another one is being made. */
    async take(
      name: string,
      { capture, record }: Pick<CaptureOffer, 'capture' | 'record'>,
      kind: CaptureKind,
      { seconds = CLIP_SECONDS, ...options }: CaptureOptions & { readonly seconds?: number } = {},
    ): Promise<void> {
      if (busy) return
      const what = kind === 'clip' ? `Recording ${seconds} seconds…` : 'Taking a picture…'
      setState({ busy: true, failed: false, message: what })
      const recording = kind === 'clip' ? await record?.().catch(() => undefined) : undefined
      try {
        const sound = recording && { sound: recording.track, onStart: recording.play }
        const blob = await capture(kind, seconds, { ...options, ...sound })
        const file = `${fileName(name)}.${blob.type.replace(/^.*\//, '')}`
        saveFile(blob, file)
        const silent = kind === 'clip' && recording === undefined ? ', without sound' : ''
        setState({
          busy: false,
          failed: false,
          message: `Saved ${file} (${formatBytes(blob.size)})${silent}.`,
        })
      } catch (error) {
        const reason = error instanceof WorldCaptureError ? error.message : 'It did not work.'
        setState({ busy: false, failed: true, message: `Nothing was saved: ${reason}` })
      } finally {
        recording?.end()
      }
    },
  }
}

/** The name of a World as a file is called on any system. */
function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return plain.slice(0, 60) || 'world'
}
