/** What the page knows of a connector before it runs. */
export interface Choice {
  readonly name: string
  /** Undefined while its definition is not verified, and for a connector that is not among the listed ones. */
  readonly paths: number | undefined
  /** Empty for none. */
  readonly conditionName: string
  readonly conditionArgs: readonly number[]
}

/** Address of the first page showing a connector. */
export function choiceHref(connector: string, count: number): string {
  return `/?connector=${encodeURIComponent(connector)}&count=${count}#particles`
}
