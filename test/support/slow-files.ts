import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { shareOf } from './share.ts'

/** How many days it takes until each slow file was a part of `npm test`. */
const PARTS = 12

/**
 * Slowest first, so that no share is much slower than another. What guards the same in every run:
 *
 * - runs on chain: `publication/vectors`, `run/chain-run` and `http/statuses` (every answer of the API);
 * - the simulator: `simulator/vectors` and `api/simulate`, sizes: `api/sizes`, the engine: `engine/algebra` and its neighbours;
 * - the worker: `simulation/two-nodes`, `publication/vectors` and `e2e/feed`, its node: `chain/nodes`, `chain/new-heads`;
 * - the studio's API, verification of the contracts included: `http/statuses-studio`.
 */
const SLOW = files(
  'test',
  `
  worlds/escape client/command execution/execute feed/worker-takeover hostile/hostile studio/publish/publisher
  studio/numbers/numbers feed/worker feed/quorum execution/same-as-chain studio/window studio/results/panel
  studio/results/views studio/share studio/explore/explore status/worker-pages platform/lost-connection feed/reindex
  feed/worker-nodes deploy/deploy-contracts studio/transport/transport api/deep-connectors simulation/status-histories
  preview/bounds worlds/hostile-zips solidity/compile chain/node-profiles studio/graph-editor
  simulator/limits feed/hostile-publications identity/suspend-script registry/hide-entity
  simulation/simulation status/worker-step solidity/hostile feed/stream worlds/frame worlds/store
  platform/without-secrets status/reasons studio/transport/rendered engine/walk mcp/endpoint
  platform/example-network feed/read-status platform/silent-database platform/pooled-database
  contracts/code-scan platform/idle-connections studio/code-editor execution/verify-execution studio/publish/calls
  studio/lessons status/contract-verification site-data/body-examples differential/variations webhooks/deliver
  preview/preview studio/code-snippets worlds/bundle worlds/looking-after workspaces/sync differential/bytecode
  chain/follow-costs solidity/pool feed/author-words mcp/views mcp/export-midi mcp/grants feed/filtered-streams
  feed/stream-libraries feed/head-stream identity/replay worlds/kit client/package
  api/further-chains http/fuzz metrics/readings contracts/gas proof/liars contracts/registry status/pages
  studio/phrase-book studio/templates contracts/vectors contracts/runner contracts/registry-refusals
  feed/prune-outbox preview/explainer feed/stream-database status/verify-button
  telemetry/traces services/email
`,
)

/**
 * In every run: `home`, `publish`, `wallets`, `feed`, `first-hour`, `session`, `security`, `knob-links`, `network`, `docs`, and a
 * share of the pages in `accessibility`.
 */
const SLOW_OF_BUILT_PROGRAM = files(
  'e2e',
  `
  start studio-outline chaos wallet studio-worlds configured instances studio-keeping world-page studio-window
  lessons examples keyboard sample-worlds world-uploads network-pages studio-sound tutorial search
  make-a-world integrators people gallery adapters publish-refusals studio-results run strange-names
  world-upload tiles
`,
)

/** In every run, and so long that they begin first: the front page, which lists what is newest, before others publish. */
const FIRST = files('e2e', 'home accessibility publish')

const ORDER = [...FIRST, ...SLOW, ...SLOW_OF_BUILT_PROGRAM]

/** Slow files that a share leaves out, for `exclude`. */
export const leftOut = [...notTaken(SLOW), ...notTaken(SLOW_OF_BUILT_PROGRAM)]

/** Begins with what takes long, also in a clone that has never run the tests: a slow file at the end would run alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    return sorted.toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = ORDER.indexOf(relative(process.cwd(), moduleId))
  return place < 0 ? ORDER.length : place
}

function notTaken(slow: readonly string[]): string[] {
  const taken = new Set(shareOf(slow, PARTS))
  return slow.filter((file) => !taken.has(file))
}

function files(folder: string, names: string): string[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `${folder}/${name}.test.ts`)
}
