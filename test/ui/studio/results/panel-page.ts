/* The results panel on a page of its own, driven from outside by `show`. */

import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { WorldCaptureError } from '#lib/core/worlds/sdk/capture.ts'
import { recordClip } from '#lib/core/worlds/sdk/clip.ts'
import { createPlayer } from '#lib/studio/live/player.ts'
import type { CapturedWorld } from '#lib/studio/runs/runs.ts'
import { pageEngine, pageSound } from '#lib/ui/studio/common/page.ts'
import { PlayerProvider } from '#lib/ui/studio/common/session.tsx'
import { ResultsPanel, type ResultsPanelProps } from '#lib/ui/studio/results/results-panel.tsx'

export type Shown = Pick<ResultsPanelProps, 'run' | 'blocked' | 'explanation'>

/** The page's API for its test driver. */
export interface PanelPage {
  /** @param world Name of a World that can be captured. */
  show: (shown: Shown, world?: string) => void
  /** Gives the transport a connector of that key, called as the one that is shown, at its third step. */
  sound: (key: string) => void
  /** Name and arguments of every handler that was called. */
  calls: unknown[][]
}

const player = createPlayer({ engine: pageEngine, sound: pageSound() })
const { transport } = player.sound
const page = window as unknown as PanelPage
const main = document.createElement('main')
document.getElementById('root')!.append(main)
const root = createRoot(main)
page.calls = []
function note(name: string) {
  return (...args: unknown[]) => {
    page.calls.push([name, ...args])
  }
}
const handlers = {
  onExplain: note('explain'),
  onCancel: note('cancel'),
  onAgain: note('again'),
  onShow: note('show'),
}

page.show = (shown, world) => {
  const captured = world === undefined ? [] : [capturedWorld(world)]
  const panel = createElement(ResultsPanel, { of: 'entry/song', ...shown, ...handlers, captured })
  root.render(createElement(PlayerProvider, { value: player }, panel))
}

page.sound = (key) => {
  const streams = [{ path: '/Song:0', data: [0, 1, 2, 3] }]
  transport.load({ key, name: 'Song', streams, sound: {}, onSound: () => {} })
  transport.seek(2)
}

/** A World that answers with the words of what it is asked for, with a short clip, and refuses the second one. */
function capturedWorld(name: string): CapturedWorld {
  let clips = 0
  return {
    world: 'id',
    name,
    captures: ['picture', 'clip'],
    record: transport.record,
    capture: async (kind, _seconds, options = {}) => {
      const { width, height } = options
      if (kind === 'picture') return new Blob([`picture ${width} ${height}`], { type: 'image/png' })
      if (++clips > 2) throw new WorldCaptureError('refused', 'It draws nothing now.')
      const canvas = document.createElement('canvas')
      const pen = canvas.getContext('2d')!
      let turns = 0
      const draw = () => {
        pen.fillRect(turns++ % 300, 0, 9, 99)
        return createImageBitmap(canvas)
      }
      return recordClip(draw, 0.5, options)
    },
  }
}
