import type { z } from 'zod'

/** An environment variable and its check, which also holds the default. */
export interface Variable<Value> {
  readonly name: string
  readonly check: z.ZodType<Value, string | undefined>
  /** Whether logs must not show it: of URLs what may hold a password or key, else the whole value. */
  readonly secret: boolean
  /** Whether an empty value is one; else it counts as unset, as `.env` files and container tools write it. */
  readonly takesEmpty: boolean
}

/**
 * Makes a row of a table of settings.
 *
 * @param options.secret Default: false.
 * @param options.takesEmpty Default: false.
 */
export function env<Check extends z.ZodType<unknown, string | undefined>>(
  name: string,
  check: Check,
  { secret = false, takesEmpty = false }: Partial<Pick<Variable<unknown>, 'secret' | 'takesEmpty'>> = {},
): Variable<z.output<Check>> {
  return { name, check: check as z.ZodType<z.output<Check>, string | undefined>, secret, takesEmpty }
}

/** The settings of a feature, by its name in a configuration. */
export interface FeatureSettings<Table extends object = object> {
  readonly feature: string
  readonly table: Table
  /** Their values. */
  readonly of: (config: { readonly features: Readonly<Record<string, unknown>> }) => ValuesOf<Table>
}

/** Declares the settings of a feature. */
export function featureSettings<Table extends object>(feature: string, table: Table): FeatureSettings<Table> {
  return { feature, table, of: ({ features }) => features[feature] as ValuesOf<Table> }
}

/** The values of a table of settings, in its shape. */
export type ValuesOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends Variable<infer Value> ? Value : ValuesOf<Table[Key]>
}

/** Returns all variables of a table, in its order. */
export function variablesOf(table: object): Variable<unknown>[] {
  return Object.values(table).flatMap((entry: object) => (isVariable(entry) ? entry : variablesOf(entry)))
}

/** Returns the values of a table, each as `read` returns it. */
export function valuesOf<Table extends object>(table: Table, read: (variable: Variable<unknown>) => unknown) {
  const values = Object.entries(table).map(([key, entry]: [string, object]): [string, unknown] => [
    key,
    isVariable(entry) ? read(entry) : valuesOf(entry, read),
  ])
  return Object.fromEntries(values) as ValuesOf<Table>
}

function isVariable(entry: object): entry is Variable<unknown> {
  return 'check' in entry
}
