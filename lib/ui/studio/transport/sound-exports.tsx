'use client'

import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { saveFile } from '../../components/save-file.ts'
import type { GoodRun } from '../preview/run.ts'
import { type Arrangement, arrange } from './arrangement.ts'
import { writeMidi } from './midi-file.ts'
import { RenderError, renderMix, renderStems } from './render.ts'
import { useTransport } from './transport.ts'

/** Buttons that save how a run sounds. @param fileName Adds an extension to the name of the run. */
export function SoundExports({ run, fileName }: { run: GoodRun; fileName: (extension: string) => string }) {
  const { source, arrangement } = useTransport()
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  // What is loaded has the settings; a run that is not, has only what its values suggest.
  const arranged = () =>
    source?.streams === run.streams && arrangement ? arrangement : arrange(run.streams, {})
  const render = async (what: string, make: (arranged: Arrangement) => Promise<void>) => {
    setBusy(true)
    setSaid(`Rendering ${what}…`)
    try {
      await make(arranged())
      setSaid('')
    } catch (error) {
      setSaid(error instanceof RenderError ? error.message : 'This browser could not render the sound.')
    }
    setBusy(false)
  }
  return (
    <>
      <Button
        onClick={() => saveFile(new Blob([writeMidi(arranged())], { type: 'audio/midi' }), fileName('mid'))}
        title="Every path a track with its instrument"
      >
        MIDI
      </Button>
      <Button
        disabled={busy}
        title="The whole mix"
        onClick={() =>
          render('the mix', async (mix) =>
            saveFile(new Blob([await renderMix(mix)], { type: 'audio/wav' }), fileName('wav')),
          )
        }
      >
        WAV
      </Button>
      <Button
        disabled={busy}
        title="Each path as a WAV of its own, in a ZIP"
        onClick={() =>
          render('stems', async (mix) => {
            const stems = await renderStems(mix, (done, all) => setSaid(`Rendered ${done} of ${all} stems…`))
            const { default: Zip } = await import('jszip')
            const zip = new Zip()
            for (const { name, wav } of stems) zip.file(name, wav)
            saveFile(await zip.generateAsync({ type: 'blob' }), fileName('stems.zip'))
          })
        }
      >
        Stems
      </Button>
      <p role="status" className="text-sm">
        {said}
      </p>
    </>
  )
}
