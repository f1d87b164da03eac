import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slowest files first; the others follow by size. A slow one at the end would run alone. */
const LONG = words(`
  hostile escape worker-takeover simulation worker hostile-publications worker-nodes node-profiles stream-faults stream pool compile
  bounds artifacts graph-editor worker-pages reasons head-stream limits worker-reorganisations runner own-tab
  silent-database code-editor deploy-contracts lost-connection vectors statuses example-network hostile-zips panel
  reindex bytecode same-as-chain explore variations
`)

/**
 * The first page lists what is newest, of which other files publish much: its tests come before. Those that start programs
 * of their own mostly wait.
 */
const LONG_OF_BUILT_PROGRAM = words(`
  home chaos start accessibility publish studio-window wallet studio-worlds studio-outline studio-keeping keyboard lessons
  run security world-upload instances docs studio-results world-page network-pages people health configured adapters
  feed streams
`)

const ORDER = [...LONG, ...LONG_OF_BUILT_PROGRAM]

/** Begins with what takes long, also in a clone that has never run the tests. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return sorted.toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = ORDER.indexOf(basename(moduleId, '.test.ts'))
  return place < 0 ? ORDER.length : place
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
