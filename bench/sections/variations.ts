import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { ConnectorParts } from '../../lib/engine/run.ts'
import type { BuiltArtifact } from '../../lib/protocol/artifact.ts'
import { buildConnector } from '../../lib/protocol/creation-checks.ts'
import { launchBrowser, WITHOUT_GPU } from '../../scripts/browser/launch.ts'
import { define } from '../../test/support/definitions.ts'
import { runOf } from '../network/artifacts.ts'
import type { Options } from '../options.ts'
import { figure, ms, times } from '../support/format.ts'
import type { Report } from '../support/report.ts'
import { measureVariations, type VariationFigures } from '../support/variation-runs.ts'

function scalar(...calls: readonly (readonly [name: string, ...args: number[]])[]) {
  return { transformations: calls.map(([name, ...args]) => ({ name, args })) }
}

/** Four voices as a musician writes them: cycles of steps around rings of some notes. */
const VOICES = define({
  name: 'VOICES',
  dimensions: [
    scalar(['Wheel', 5, 24], ['Wheel', 7, 24], ['Wheel', 2, 24]),
    scalar(['Wheel', 3, 16]),
    scalar(['Wheel', 7, 12], ['Add', 1]),
    scalar(['Wheel', 1, 8], ['Wheel', 3, 8], ['Wheel', 1, 8], ['Wheel', 2, 8]),
  ],
})

const SHAPES = {
  VOICES: 'four voices of cycles around rings',
  C4: 'four dimensions: sum, LCG, xorshift, branch',
} as const

/**
 * Variations of a connector, 256 particles x 4 streams each: by one translation that takes the numbers as parameters,
 * against a run of each as the connector that it is, in the same process and of other numbers each time.
 */
export async function variations(
  report: Report,
  artifacts: ReadonlyMap<string, BuiltArtifact>,
  { rounds }: Options,
): Promise<void> {
  report.heading('Variations, 256 particles x 4 streams')
  const built = new Map(artifacts)
  built.set(
    'connector/VOICES',
    buildConnector(VOICES, (kind, name) => built.get(`${kind}/${name}`)),
  )
  const inBrowser = await startBrowserRuns()
  try {
    const rows: string[][] = []
    for (const [shape, about] of Object.entries(SHAPES)) {
      const { root, artifacts: needed } = runOf(built, shape, 256, [])
      const parts = { root, artifacts: needed }
      for (const [where, measure] of [
        ['Node, one thread', measureVariations],
        ['Chromium', inBrowser.measure],
      ] as const) {
        const found = await measure(parts, shape, rounds)
        rows.push([`${shape}: ${about}`, where, ...cells(found)])
        if (shape !== 'VOICES') continue
        const detail = `${shape}, ${where}`
        if (where === 'Chromium') report.goal('variationSheet', found.firstSheetMs, `${detail}, a new engine`)
        else report.goal('variations', found.varied, `${detail}; plainly ${figure(found.plain)}`)
      }
    }
    report.table(['shape', 'where', 'a second', 'plainly', 'of that', 'sheet of 256', 'first sheet'], rows)
    report.line('Both ways were compared: no difference. Sheets are drawn, run and measured.')
  } finally {
    await inBrowser.close()
  }
}

function cells({ varied, plain, sheetMs, firstSheetMs }: VariationFigures): string[] {
  return [figure(varied), figure(plain), times(varied / plain), ms(sheetMs), ms(firstSheetMs)]
}

/** The same measurement, bundled and minified, on a page of a browser. */
async function startBrowserRuns() {
  const entry = fileURLToPath(new URL('../support/variation-runs.ts', import.meta.url))
  const bundle = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'runs',
    minify: true,
  })
  const browser = await launchBrowser(WITHOUT_GPU)
  const page = await browser.newPage()
  await page.addScriptTag({ content: bundle.outputFiles[0]!.text })
  return {
    measure: (parts: ConnectorParts, name: string, rounds: number): Promise<VariationFigures> =>
      page.evaluate(`runs.measureVariations(${JSON.stringify([parts, name, rounds]).slice(1, -1)})`),
    close: () => browser.close(),
  }
}
