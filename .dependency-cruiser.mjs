/** The folders of `lib` from the lowest to the highest: each may import those before it, and none after it. */
const FOLDERS = [
  'protocol',
  'platform',
  'engine',
  'chain',
  'compute',
  'core',
  'features',
  'views',
  'client',
  'browser',
  'studio',
  'ui',
]

/** What the specification names, from the lowest to the highest. */
const CORE = ['feed', 'context', 'identity', 'people', 'entities', 'worlds', 'indexer']

/** Folders that hold what the application does: they know neither HTTP nor Next. */
const CAPABILITIES = 'chain|compute|core'

/** Components (`ui`) and whole pages of a feature: they lie above `lib/ui`. */
const PAGES_OF_FEATURES = '^lib/features/[^/]+/(ui|pages)/'

const PROGRAMS = '^(app|worker|scripts|packages)/'

/** The folders of `lib/ui`: the kit, components, then surfaces. */
const SURFACES = [
  'kit',
  'components',
  'plots',
  'entity',
  'wallet',
  'people',
  'run',
  'lists',
  'world',
  'world-gallery',
  'docs',
  'studio',
  'wall',
  'world-editor',
  'piece',
  'frame',
  'tool-view',
]

/** The folders of `lib/studio`, which knows no React. */
const STUDIO = ['document', 'piece', 'runs', 'library', 'explore', 'sound', 'keep', 'lessons', 'live']

/** The folders of `lib/ui/studio`. */
const STUDIO_SURFACES = [
  'common',
  'transport',
  'worlds',
  'library',
  'picker',
  'code',
  'results',
  'explore',
  'publish',
  'workspaces',
  'share',
  'outline',
  'graph',
  'lessons',
  'templates',
  'shell',
  'live',
]

/** One rule a folder: it imports none that comes after it in the list. */
function inOrder(parent, folders) {
  return folders.slice(0, -1).map((folder, index) => ({
    name: `${parent}/${folder}-is-below`,
    comment: 'A folder imports only those before it in the list at the top of this file.',
    severity: 'error',
    from: { path: `^${parent}/${folder}/`, pathNot: PAGES_OF_FEATURES },
    to: { path: `^${parent}/(${folders.slice(index + 1).join('|')})/` },
  }))
}

/** The arrows of ARCHITECTURE.md. */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...inOrder('lib', FOLDERS),
    ...inOrder('lib/core', CORE),
    ...inOrder('lib/ui', SURFACES),
    ...inOrder('lib/studio', STUDIO),
    ...inOrder('lib/ui/studio', STUDIO_SURFACES),
    {
      name: 'runs-is-the-one-place',
      comment:
        'Pages run connectors through `runs` of a session or player. Explore varies what `runs` hands it.',
      severity: 'error',
      from: {
        path: '^(app|lib/(studio|ui|views|client|browser))/',
        pathNot: '^lib/studio/(runs|explore)/|^lib/ui/studio/common/page\\.ts$',
      },
      to: {
        path: '^lib/engine/engine\\.ts$|^lib/studio/runs/(page-engine|quick-preview|engine/.*)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'programs-use-lib',
      comment: 'lib knows none of the programs that use it.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: PROGRAMS },
    },
    {
      name: 'surfaces-are-folders',
      severity: 'error',
      from: { path: `^lib/ui/(?!(${SURFACES.join('|')})/)` },
      to: {},
    },
    {
      name: 'lib-holds-folders',
      comment: 'A file of lib belongs to one of its folders.',
      severity: 'error',
      from: { path: `^lib/(?!(${[...FOLDERS, 'server'].join('|')})/)` },
      to: {},
    },
    {
      name: 'features-stand-alone',
      comment: 'A feature can be taken out: none imports another.',
      severity: 'error',
      from: { path: '^lib/features/([^/]+)/' },
      to: { path: '^lib/features/[^/]+/', pathNot: '^lib/features/$1/' },
    },
    {
      name: 'features-have-doors',
      comment:
        'What a feature gives is in its index.ts, and for browsers, pages and packages in that of the folder.',
      severity: 'error',
      from: { path: '^(app|lib|worker|scripts|packages)/', pathNot: '^lib/features/' },
      to: { path: '^lib/features/[^/]+/', pathNot: '^lib/features/[^/]+/((ui|pages|checker)/)?index\\.ts$' },
    },
    {
      name: 'lists-of-features-know-values',
      severity: 'error',
      from: { path: '^lib/features/[^/]+$' },
      to: { path: '^lib/features/[^/]+/', pathNot: '^lib/features/[^/]+/(feature|settings)\\.ts$' },
    },
    {
      name: 'core-knows-no-server',
      severity: 'error',
      from: { path: `^lib/(${FOLDERS.slice(0, 6).join('|')})/` },
      to: { path: '^lib/server/' },
    },
    {
      name: 'server-is-below-pages',
      severity: 'error',
      from: { path: '^lib/server/' },
      to: { path: '^lib/(views|client|ui)/' },
    },
    {
      name: 'protocol-is-pure',
      comment: 'It runs in browsers: no I/O, no framework, no other folder.',
      severity: 'error',
      from: { path: '^lib/protocol/' },
      to: { pathNot: ['^lib/protocol/', '^contracts/', '^node_modules/viem/', '^node_modules/@types/'] },
    },
    {
      name: 'engine-is-pure',
      comment: 'It runs in browsers too; the exact EVM is passed in.',
      severity: 'error',
      from: { path: '^lib/engine/' },
      to: { path: ['^lib/platform/(?!cache/)', '^node_modules/@ethereumjs/'] },
    },
    {
      name: 'engine-needs-no-node',
      comment: 'Browsers run it too.',
      severity: 'error',
      from: { path: '^lib/engine/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'capabilities-need-no-framework',
      severity: 'error',
      from: { path: `^lib/(${CAPABILITIES})/` },
      to: { path: '^node_modules/next/' },
    },
    {
      name: 'operations-reach-no-storage',
      comment: 'An operation calls one function of a capability, which uses the database and the chain.',
      severity: 'error',
      from: { path: '^lib/server/(operations|mcp)/' },
      to: { path: '^lib/(platform/db/|chain/(?!dev/))', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-reach-no-storage',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: '^(worker|scripts|lib/platform/db)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ui-is-for-browsers',
      comment:
        'Types of what the server answers are fine; its code stays there, but for the rules of a manifest and of sizes.',
      severity: 'error',
      from: { path: '^lib/(browser|studio|ui|features/[^/]+/ui)/' },
      to: {
        path: `^(app/|worker/|scripts/|lib/(platform|server|chain|compute/(?!bundle/(manifest|limits)\\.ts$)|features/[^/]+/(?!(checker|ui)/)|core/(?!worlds/sdk/)))`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'studio-needs-no-framework',
      comment: 'Its objects are run and tested without React and without a page.',
      severity: 'error',
      from: { path: '^lib/(browser|studio)/' },
      to: { path: '^node_modules/(react|react-dom|next|@tanstack|@xyflow|@base-ui|cmdk)/' },
    },
    {
      name: 'programs-are-entry-points',
      severity: 'error',
      from: { path: '^(app|lib|worker)/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(app|lib|worker|scripts)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
      // Some packages have no `main`.
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    exclude: { path: '\\.(css|svg)$' },
  },
}
