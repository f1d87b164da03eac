import type { z } from 'zod'
import { Failure, type FailureCode } from '#lib/protocol/failure.ts'
import { quote, unknownFields } from './json.ts'

/**
 * Parses untrusted input.
 *
 * @param where Names the part when a problem has no field: `body`, `query`, `path`.
 * @throws {Failure} `code`, with one sentence about the first problem that names the field.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: string,
  code: FailureCode = 'invalid_request',
): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Failure(code, describe(result.error.issues[0], value, where))
}

function describe(issue: z.core.$ZodIssue | undefined, value: unknown, where: string): string {
  if (issue === undefined) return `The ${where} is invalid`
  const field = fieldName(issue.path)
  if (issue.code === 'unrecognized_keys')
    return `${field === '' ? where : field}: ${unknownFields(issue.keys)}`
  const missing = field !== '' && valueAt(value, issue.path) === undefined
  const message = lowerFirst(
    issue.message.replace(/^Invalid input: /, '').replace(/, received undefined$/, ''),
  )
  return `${field === '' ? where : field}: ${missing ? 'required; ' : ''}${message}`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined
    current = (current as Readonly<Record<PropertyKey, unknown>>)[part]
  }
  return current
}

/** `['dimensions', 0, 'args', 2]` -> `dimensions[0].args[2]`. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = ''
  for (const part of path) {
    if (typeof part === 'number') name += `[${part}]`
    else if (/^\w{1,128}$/.test(String(part))) name += name === '' ? String(part) : `.${String(part)}`
    else name += `[${quote(String(part))}]`
  }
  return name
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
