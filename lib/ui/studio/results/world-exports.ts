import type { PictureSize } from '#lib/core/worlds/sdk/protocol.ts'
import type { CapturedWorld } from '#lib/studio/runs/runs.ts'
import { clipWithSound } from '#lib/studio/sound/clip.ts'
import { recordsSound } from '#lib/studio/sound/record.ts'
import type { MenuItem } from '#lib/ui/kit/menu.tsx'
import { useCapture } from '#lib/ui/world/use-capture.ts'
import { useSound } from '../common/session.tsx'

/** Shapes of a picture for a wall, a phone and a screen, as large as Worlds draw. */
const SHAPES: readonly (readonly [name: string, size: PictureSize])[] = [
  ['square', { width: 4096, height: 4096 }],
  ['tall', { width: 2304, height: 4096 }],
  ['wide', { width: 4096, height: 2304 }],
]
const CLIP_LENGTHS = [10, 30]

/**
 * Commands that save pictures and clips of the Worlds of a run, and how far they are, as a sentence.
 *
 * @param name Of the connector.
 */
export function useWorldExports(
  name: string,
  worlds: readonly CapturedWorld[],
): { readonly items: readonly MenuItem[]; readonly message: string } {
  const { transport } = useSound()
  const { busy, said: message, take } = useCapture()
  const hasSound = recordsSound()
  const items = worlds.flatMap((world): Omit<MenuItem, 'id' | 'enabled'>[] => {
    const file = `${name} ${world.name}`
    const picture = (size?: PictureSize) => () => void take(file, world, 'picture', size && { size })
    const clip = (seconds: number) => () => {
      const source = { capture: () => clipWithSound(transport, () => world.capture('clip', seconds)) }
      void take(file, hasSound ? source : world, 'clip', { seconds })
    }
    return [
      ...(world.captures.includes('picture')
        ? [
            { label: `PNG: ${world.name}`, run: picture() },
            ...SHAPES.map(([shape, size]) => ({
              label: `PNG, ${shape}: ${size.width} × ${size.height}`,
              run: picture(size),
            })),
          ]
        : []),
      ...(world.captures.includes('clip')
        ? CLIP_LENGTHS.map((seconds) => ({
            label: `WebM: ${seconds} seconds of ${world.name}${hasSound ? ', with its sound' : ''}`,
            run: clip(seconds),
          }))
        : []),
    ]
  })
  return { items: items.map((item, index) => ({ ...item, id: `world-${index}`, enabled: !busy })), message }
}
