import type { Page } from 'playwright'
import { newCode, newConnector } from '#lib/studio/document/commands/entries.ts'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { draftHref } from '#lib/studio/keep/link.ts'

export const SONG = { paths: 8, particles: 1024 } as const

/** Opens a connector of eight paths with 1,024 particles each in the studio, one argument a path, and waits for its picture. */
export async function openSong(page: Page, site: string): Promise<void> {
  const connector = newConnector('song', 'song', 'd0') as ConnectorEntry
  const dimensions = Array.from({ length: SONG.paths }, (_, index) => ({
    id: `d${index}`,
    calls: [{ id: `c${index}`, name: 'climb_by', args: [String(index + 1)] }],
    composite: '',
    bindings: [],
  }))
  const entries = [{ ...connector, dimensions }, newCode('transformation', 'climb', 'climb_by')]
  await page.goto(
    site + (await draftHref({ document: { entries, places: [] }, view: { tabs: [], active: null } })),
  )
  await page.getByRole('button', { name: 'Keep this' }).click()
  await page.getByText('was shared with you').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Details', exact: true }).click()
  const many = page.getByLabel('How many')
  await many.fill(String(SONG.particles))
  await many.press('Enter')
  await page.getByRole('img', { name: /:0: 1,?024 values/ }).waitFor()
}
