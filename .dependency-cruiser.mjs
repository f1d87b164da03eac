const capabilities =
  'registry|publication|execution|simulator|solidity|feed|dev-chain|identity|social|worlds|status|preview|workspaces|search|limits'

/** The arrows of ARCHITECTURE.md: each layer may use the ones below it and nothing else. */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-is-pure',
      comment: 'lib/domain runs in browsers: no I/O, no framework, no other layer.',
      severity: 'error',
      from: { path: '^lib/domain/' },
      to: { pathNot: ['^lib/domain/', '^node_modules/viem/', '^node_modules/@types/'] },
    },
    {
      name: 'engine-is-pure',
      comment: 'lib/engine runs in browsers too; the exact EVM is passed in.',
      severity: 'error',
      from: { path: '^lib/engine/' },
      to: {
        path: ['^(app|worker|scripts)/', '^lib/(?!engine/|domain/|cache/)', '^node_modules/@ethereumjs/'],
      },
    },
    {
      name: 'engine-knows-no-node',
      severity: 'error',
      from: { path: '^lib/engine/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'database-and-chain-are-low',
      severity: 'error',
      from: { path: '^lib/(db|chain)/' },
      to: { path: '^(app|worker|scripts|lib/(?!db/|chain/|domain/|telemetry/))' },
    },
    {
      name: 'telemetry-knows-nobody',
      comment: 'Everything may tell what it does; what is told of it knows none of them.',
      severity: 'error',
      from: { path: '^lib/telemetry/' },
      to: { path: '^(app|worker|scripts|lib/(?!telemetry/))' },
    },
    {
      name: 'capabilities-know-no-http',
      severity: 'error',
      from: { path: `^lib/(${capabilities})/` },
      to: { path: '^((app|worker|scripts|lib/(http|api|mcp|ui|site-data|client))/|node_modules/next/)' },
    },
    {
      name: 'http-knows-no-capability',
      severity: 'error',
      from: { path: '^lib/http/' },
      to: {
        path: `^(app|worker|scripts|lib/(api|db|chain|ui|${capabilities})/)`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'api-reaches-no-storage',
      comment: 'An operation calls one verb; verbs touch the database and the chain.',
      severity: 'error',
      from: { path: '^lib/(api|mcp)/' },
      to: { path: '^(app|worker|scripts|lib/(db|chain|ui)/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-reach-no-storage',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: '^(worker|scripts|lib/(db|chain)/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ui-is-for-browsers',
      severity: 'error',
      from: { path: '^lib/ui/' },
      to: {
        path: `^(app|worker|scripts|lib/(api|http|db|chain|${capabilities})/)`,
        dependencyTypesNot: ['type-only'],
      },
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
