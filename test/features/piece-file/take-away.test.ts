import { type ComponentProps, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TakeAway } from '#lib/features/piece-file/ui/take-away.tsx'

function textOf(props: Omit<ComponentProps<typeof TakeAway>, 'name'>): string {
  return renderToStaticMarkup(createElement(TakeAway, { name: 'motif', ...props })).replaceAll(/<[^>]*>/g, '')
}

test('a page names only the files that it has: sound needs a run, and a picture a World that draws', () => {
  const run = { streams: [], sound: undefined }
  expect(textOf({})).toMatch(/^Take it with you one file/)
  expect(textOf({})).not.toMatch(/MIDI|picture/)
  expect(textOf({ run: run as never })).toMatch(/^Take it with you MIDI, sound, one file/)
  expect(textOf({ run: run as never })).toContain(
    'MIDI and sound have the numbers as they are now. The one file',
  )
})
