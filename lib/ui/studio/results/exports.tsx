'use client'

import { Download } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { type Arrangement, arrange } from '#lib/engine/sound/arrangement.ts'
import { writeMidi } from '#lib/engine/sound/midi-file.ts'
import type { GoodRun } from '#lib/studio/runs/run.ts'
import type { CapturedWorld } from '#lib/studio/runs/runs.ts'
import { RenderError, renderMix, renderStems } from '#lib/studio/sound/render.ts'
import { saveFile } from '#lib/ui/components/save-file.ts'
import { Menu, type MenuItem } from '#lib/ui/kit/menu.tsx'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import { useTransport } from '../transport/use-transport.ts'
import { csvOf } from './csv.ts'
import type { SavePng } from './pictures/picture.tsx'
import { useWorldExports } from './world-exports.ts'

/**
 * Files of a run: its picture, its values, its sound, and pictures and clips of the Worlds that draw it.
 *
 * @param png Of the picture that is shown; unset for none.
 */
export function Exports({
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
  const sound = useSoundExports(run, named)
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
        label="Take it with you"
        className="text-ink-soft hover:text-ink"
        trigger={<Download className="size-4" aria-hidden="true" />}
        groups={[
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
          captured.items,
          sound.items,
        ]}
      />
      <p role="status" className={message === '' ? 'sr-only' : 'w-full text-sm'}>
        {message}
      </p>
    </>
  )
}

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

/**
 * Commands that save how a run sounds, and how far they are, as a sentence.
 *
 * @param fileName Adds an extension to the name of the run.
 */
function useSoundExports(
  run: GoodRun,
  fileName: (extension: string) => string,
): { readonly items: readonly MenuItem[]; readonly message: string } {
  const { source, arrangement } = useTransport()
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  // What is loaded has the settings; a run that is not, has only what its values suggest.
  const arranged = () =>
    source?.streams === run.streams && arrangement ? arrangement : arrange(run.streams, {})
  const render = async (what: string, make: (arranged: Arrangement) => Promise<void>) => {
    setBusy(true)
    setMessage(`Rendering ${what}…`)
    try {
      await make(arranged())
      setMessage('')
    } catch (error) {
      setMessage(error instanceof RenderError ? error.message : 'This browser could not render the sound.')
    }
    setBusy(false)
  }
  const items: readonly MenuItem[] = [
    {
      id: 'midi',
      label: 'MIDI: a track for each voice',
      run: () => saveFile(new Blob([writeMidi(arranged())], { type: 'audio/midi' }), fileName('mid')),
    },
    {
      id: 'wav',
      label: 'WAV: the whole mix',
      enabled: !busy,
      run: () =>
        void render('the mix', async (mix) =>
          saveFile(new Blob([await renderMix(mix)], { type: 'audio/wav' }), fileName('wav')),
        ),
    },
    {
      id: 'stems',
      label: 'Stems: a WAV for each voice, in a ZIP',
      enabled: !busy,
      run: () =>
        void render('stems', async (mix) => {
          const stems = await renderStems(mix, (done, all) => setMessage(`Rendered ${done} of ${all} stems…`))
          const { default: Zip } = await importAgain(() => import('jszip'))
          const zip = new Zip()
          for (const { name, wav } of stems) zip.file(name, wav)
          saveFile(await zip.generateAsync({ type: 'blob' }), fileName('stems.zip'))
        }),
    },
  ]
  return { items, message }
}
