import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, longest first; the others follow by size. A long one at the end would run by itself. */
const LONG = [
  ...[
    'hostile',
    'simulation',
    'escape',
    'worker-takeover',
    'worker-nodes',
    'stream-faults',
    'stream',
    'worker',
  ],
  ...[
    'pool',
    'compile',
    'bounds',
    'graph-editor',
    'vectors',
    'runner',
    'worker-pages',
    'artifacts',
    'limits',
  ],
  ...['worker-reorganisations', 'statuses', 'example-network', 'hostile-zips', 'panel', 'reindex'],
  // Of the built program.
  ...['accessibility', 'publish', 'wallet', 'studio-worlds', 'studio-outline', 'home', 'studio-keeping'],
  ...['keyboard', 'lessons', 'world-upload', 'studio-results', 'world-page', 'network-pages', 'people'],
  ...['instances', 'security'],
  // Each with programs of its own; the last two count the seconds of an end.
  ...['chaos', 'feed', 'health', 'configured', 'adapters', 'streams', 'start'],
]

/** Begins with what takes long, also in a clone that has never run the tests. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return sorted.toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.indexOf(basename(moduleId, '.test.ts'))
  return place < 0 ? LONG.length : place
}
