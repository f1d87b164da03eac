'use client'

import { Download } from 'lucide-react'
import { memo, type RefObject, useState } from 'react'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import type { GoodRun } from '#lib/studio/runs/run.ts'
import type { CapturedWorld } from '#lib/studio/runs/runs.ts'
import { saveFile } from '#lib/ui/components/save-file.ts'
import { Menu } from '#lib/ui/kit/menu.tsx'
import { useSound } from '../common/session.tsx'
import { csvOf } from './csv.ts'
import type { SavePng } from './pictures/picture.tsx'
import { useSoundFiles } from './sound-files.ts'
import { useWorldExports } from './world-exports.ts'

/**
 * Files of a run: its sound, pictures and clips of the Worlds that draw it, its picture and its values.
 *
 * @param png Of the picture that is shown; unset for none.
 */
export const Exports = memo(function Exports({
  run,
  png,
  worlds = [],
}: {
  run: GoodRun
  png: RefObject<SavePng | undefined>
  worlds?: readonly CapturedWorld[] | undefined
}) {
  const { request, streams } = run
  const named = (extension: string) => fileName(request.connector_name, extension)
  const { transport } = useSound()
  // What is loaded has the settings; a run that is not, has only what its values suggest.
  const sound = useSoundFiles(() => {
    const { source, arrangement } = transport.getState()
    return source?.streams === streams && arrangement ? arrangement : arrange(streams, {})
  }, named)
  const [failed, setFailed] = useState('')
  const captured = useWorldExports(request.connector_name, worlds)
  const keep = (parts: BlobPart[], type: string, extension: string) =>
    saveFile(new Blob(parts, { type }), named(extension))
  const savePng = async () => {
    const blob = await png.current?.(request.connector_name)
    setFailed(blob ? '' : 'Only pictures can be saved as PNG: choose one of them first, for instance Lines.')
    if (blob) saveFile(blob, named('png'))
  }
  const message = sound.message || failed || captured.message
  return (
    <>
      <Menu
        label="Take it with you: MIDI, sound, pictures, numbers"
        className="text-ink-soft hover:text-ink"
        trigger={
          <>
            <Download className="size-4" aria-hidden="true" />
            <span className="hidden @lg:inline">Take it with you</span>
          </>
        }
        groups={[
          sound.items,
          captured.items,
          [
            { id: 'png', label: 'PNG: the picture', run: () => void savePng() },
            {
              id: 'csv',
              label: 'CSV: all values',
              run: () => keep(csvOf(streams), 'text/csv', 'csv'),
            },
            {
              id: 'json',
              label: 'JSON: all values and the request',
              run: () => keep(jsonOf(run), 'application/json', 'json'),
            },
          ],
        ]}
      />
      <p role="status" className={message === '' ? 'sr-only' : 'w-full text-sm'}>
        {message}
      </p>
    </>
  )
})

/** A run as JSON: the request, and the particles as in the chain API. In pieces. */
export function jsonOf({ request, streams }: GoodRun): string[] {
  const head = {
    connector_name: request.connector_name,
    particles_count: request.particles_count,
    dynamic_ri: request.dynamic_ri,
  }
  const pieces = [`${JSON.stringify(head).slice(0, -1)},"particles":[`]
  streams.forEach((stream, index) => {
    pieces.push(`${index === 0 ? '' : ','}\n${JSON.stringify({ path: stream.path, data: stream.data })}`)
  })
  pieces.push(']}\n')
  return pieces
}

/** A name for a file, of letters, digits, `_` and `-` only. */
export function fileName(connector: string, extension: string): string {
  return `${connector.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'particles'}.${extension}`
}
