import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slowest files first; the others follow by size. A slow one at the end would run alone. */
const LONG = words(`
  escape worker-takeover hostile simulation share numbers transport explore panel hostile-zips worker worker-nodes
  worker-pages compile reindex hostile-publications node-profiles silent-database reasons stream-faults pool head-stream
  walk fuzz graph-editor stream-libraries deliver tasks variations own-tab frame replay limits bounds worker-reorganisations example-network
  publisher specialise-random flow execute preview same-as-chain store code-snippets hide-entity status-histories
  code-editor bytecode stream endpoint artifacts deploy-contracts phrase-book query-plans
`)

/**
 * The first page lists what is newest, of which other files publish much: its tests come before. Those that start programs
 * of their own mostly wait.
 */
const LONG_OF_BUILT_PROGRAM = words(`
  home chaos start streams accessibility publish configured instances studio-keeping wallet studio-outline lessons
  studio-worlds world-page studio-window examples docs keyboard studio-code sample-worlds world-uploads network-pages
  studio-sound tutorial search make-a-world integrators people
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
