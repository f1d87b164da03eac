import type { ConnectorDefinition, Dimension } from '#lib/protocol/definition.ts'

/** Shapes that are measured: their cost is known of the original network's contracts as well. */
export interface GasShapes {
  readonly transformations: Readonly<Record<string, string>>
  readonly conditions: Readonly<Record<string, string>>
  /** In an order in which they can be published. */
  readonly connectors: readonly ConnectorDefinition[]
  /** Shape to the connector that is run. */
  readonly runs: Readonly<Record<string, string>>
  /** Publications of each kind whose cost is measured: label to the entity's name. */
  readonly publications: Readonly<Record<string, string>>
}

function call(name: string, ...args: number[]) {
  return { name, args }
}

function dimension(transformations: Dimension['transformations'], composite = ''): Dimension {
  return { transformations, composite, bindings: [] }
}

function connector(name: string, dimensions: readonly Dimension[]): ConnectorDefinition {
  return { name, dimensions, conditionName: '', conditionArgs: [], staticRi: [] }
}

function times(count: number, item: Dimension): Dimension[] {
  return Array.from({ length: count }, () => item)
}

const plusOne = dimension([call('Add', 1)])
const cycle = dimension([call('Add', 1), call('Add', 2), call('Add', 3)])
const mixed = dimension([call('Add', 2), call('Multiply', 3), call('Subtract', 1)])

export const GAS_SHAPES: GasShapes = {
  transformations: {
    Add: 'return x + args[0];',
    Multiply: 'unchecked { return x * args[0]; }',
    Subtract: 'unchecked { return x - args[0]; }',
  },
  conditions: { Above: 'return args[0] > args[1];' },
  connectors: [
    connector('S1', [plusOne]),
    connector('S3', times(3, plusOne)),
    connector('C3', [cycle]),
    connector('M3', [mixed]),
    connector('S3C3', times(3, cycle)),
    connector('S3M3', times(3, mixed)),
    connector('D3Middle', [dimension([call('Add', 3)], 'S1')]),
    connector('D3', [dimension([call('Add', 2)], 'D3Middle')]),
    connector('G100', [dimension([call('Add', 100)], 'S1')]),
    connector('W12', times(12, plusOne)),
    connector('T27Middle', times(3, dimension([call('Add', 1)], 'S3'))),
    connector('T27', times(3, dimension([call('Add', 1)], 'T27Middle'))),
    connector('W24', times(24, plusOne)),
  ],
  runs: {
    S1: 'one dimension [+1]',
    S3: 'three dimensions [+1]',
    C3: 'one dimension, cycle [+1, +2, +3]',
    M3: 'one dimension, cycle of three transformations [+2, *3, -1]',
    S3C3: 'three dimensions, cycle [+1, +2, +3] each',
    S3M3: 'three dimensions, cycle of three transformations each',
    D3: 'a chain of three levels, +2 over +3 over +1',
    G100: '+100 over +1',
    W12: 'twelve dimensions [+1]',
    T27: 'a tree of three levels with three dimensions [+1] each, 27 leaves',
  },
  publications: {
    transformation: 'Multiply',
    condition: 'Above',
    'connector, one call': 'S1',
    'connector, three dimensions': 'S3',
    'connector, twelve dimensions': 'W12',
    'connector, 24 dimensions': 'W24',
  },
}
