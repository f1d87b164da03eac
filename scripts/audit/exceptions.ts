import { z } from 'zod'
import { readJson } from '../stack/files.ts'

const day = z.iso.date()
const reason = z.string().min(20)

const schema = z.strictObject({
  /** Known vulnerabilities that do not reach us, each until a day: by then somebody has looked again. */
  advisories: z.array(
    z.strictObject({
      advisory: z.string().regex(/^GHSA(-[\w]{4}){3}$/),
      package: z.string(),
      reason,
      until: day,
    }),
  ),
  /** Licences beyond the permissive ones, by package; a name that ends in `*` means all that begin so, `none` one that names no licence. */
  licences: z.array(z.strictObject({ package: z.string(), licence: z.string(), reason })),
})

/** What is let through although the rule says no, with the reason. */
export type Exceptions = z.output<typeof schema>

/** @throws z.ZodError when the file is not what it must be. */
export function readExceptions(path: string): Exceptions {
  return schema.parse(readJson(path))
}
