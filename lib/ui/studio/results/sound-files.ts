import { useState } from 'react'
import type { Arrangement } from '#lib/engine/sound/arrangement.ts'
import { writeMidi } from '#lib/engine/sound/midi-file.ts'
import { RenderError, renderMix, renderStems } from '#lib/studio/sound/render.ts'
import { saveFile } from '#lib/ui/components/save-file.ts'
import type { MenuItem } from '#lib/ui/kit/menu.tsx'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'

/**
 * Commands that save how a run sounds, MIDI first, and how far they are, as a sentence.
 *
 * @param arranged Returns what sounds.
 * @param fileName Adds an extension to the name of the run.
 */
export function useSoundFiles(
  arranged: () => Arrangement,
  fileName: (extension: string) => string,
): { readonly items: readonly MenuItem[]; readonly message: string } {
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
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
