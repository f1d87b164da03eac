/**
 * Definition of a connector in a normal form: every field present, lists instead of maps (so that
 * names such as `__proto__` are only data), bindings ascending by slot, static running instances ascending by
 * position. Equal connectors have equal definitions.
 */
export interface ConnectorDefinition {
  readonly name: string
  readonly dimensions: readonly Dimension[]
  /** Empty when there is no condition. */
  readonly conditionName: string
  /** int32 each. */
  readonly conditionArgs: readonly number[]
  readonly staticRi: readonly PositionedRunningInstance[]
}

export interface Dimension {
  readonly transformations: readonly TransformationCall[]
  /** Empty when the dimension is scalar. */
  readonly composite: string
  readonly bindings: readonly Binding[]
}

export interface TransformationCall {
  readonly name: string
  /** uint32 each. */
  readonly args: readonly number[]
}

/** Fills slot `slot` of the composite of a dimension with another connector. */
export interface Binding {
  readonly slot: number
  readonly name: string
}

/** uint32 each. */
export interface RunningInstance {
  readonly startPoint: number
  readonly transformationShift: number
}

export interface PositionedRunningInstance extends RunningInstance {
  readonly position: number
}
