import { useState } from 'react'
import { saveFile } from '../../components/save-file.ts'
import type { MenuItem } from '../common/menu.tsx'
import type { GoodRun } from '../preview/run.ts'
import { type Arrangement, arrange } from './arrangement.ts'
import { writeMidi } from './midi-file.ts'
import { RenderError, renderMix, renderStems } from './render.ts'
import { useTransport } from './transport.ts'

/**
 * Commands that save how a run sounds, and how far they are, as a sentence.
 *
 * @param fileName Adds an extension to the name of the run.
 */
export function useSoundExports(
  run: GoodRun,
  fileName: (extension: string) => string,
): { readonly items: readonly MenuItem[]; readonly said: string } {
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
  const items: readonly MenuItem[] = [
    {
      id: 'midi',
      label: 'MIDI: a track for each path',
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
      label: 'Stems: a WAV for each path, in a ZIP',
      enabled: !busy,
      run: () =>
        void render('stems', async (mix) => {
          const stems = await renderStems(mix, (done, all) => setSaid(`Rendered ${done} of ${all} stems…`))
          const { default: Zip } = await import('jszip')
          const zip = new Zip()
          for (const { name, wav } of stems) zip.file(name, wav)
          saveFile(await zip.generateAsync({ type: 'blob' }), fileName('stems.zip'))
        }),
    },
  ]
  return { items, said }
}
