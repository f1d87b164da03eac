import { spawn } from 'node:child_process'
import { z } from 'zod'
import { readJson } from '../stack/files.ts'

/** Offline it fails at once; a registry that does not answer must not delay the tests. */
const TIMEOUT_MS = 30_000
const COMMAND = ['audit', '--json', '--omit=dev', '--fetch-retries=0', '--fetch-timeout=20000']

const advisorySchema = z.object({
  name: z.string(),
  title: z.string(),
  url: z.string(),
  severity: z.string(),
  range: z.string(),
})
const reportSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisorySchema])) })),
})

type Advisory = z.output<typeof advisorySchema>

export interface AdvisoryReport {
  /** A line for each vulnerability that must be mended. */
  readonly problems: readonly string[]
  /** Why it is unknown, where the registry is unreachable. */
  readonly unknown: string | undefined
}

/**
 * Queries the registry for known vulnerabilities of production dependencies, of severity high or critical.
 *
 * @param root The project's folder; nothing but its lock file need be there.
 * @param today As `2026-01-31`; exceptions hold through their last day.
 */
export async function findAdvisories(
  root: string,
  exceptions: Exceptions['advisories'],
  today: string,
): Promise<AdvisoryReport> {
  const { text, errors } = await npm(root)
  const report = reportSchema.safeParse(parse(text))
  if (!report.success) return { problems: [], unknown: reasonOf(text, errors) }
  const found = new Map<string, Advisory>()
  for (const { via } of Object.values(report.data.vulnerabilities)) {
    for (const each of via) if (typeof each !== 'string' && isSevere(each)) found.set(each.url, each)
  }
  const problems = [...found.values()].flatMap((advisory) => {
    const excepted = exceptions.find(
      (each) => each.advisory === idOf(advisory) && each.package === advisory.name,
    )
    if (excepted !== undefined && today <= excepted.until) return []
    const { name, range, severity, title, url } = advisory
    const late = excepted === undefined ? '' : `; it was let through until ${excepted.until}`
    return [`${name} ${range} (${severity}): ${title}, ${url}${late}`]
  })
  return { problems, unknown: undefined }
}

function isSevere({ severity }: Advisory): boolean {
  return severity === 'high' || severity === 'critical'
}
function idOf({ url }: Advisory): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(text: string, errors: string): string {
  const said = z.object({ message: z.string() }).safeParse(parse(text)).data?.message
  const error = z.object({ error: z.object({ summary: z.string() }) }).safeParse(parse(text)).data
    ?.error.summary
  return (said || error || errors).trim().split('\n')[0] || 'no answer'
}

function npm(root: string): Promise<{ text: string; errors: string }> {
  return new Promise((resolve) => {
    const child = spawn('npm', COMMAND, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    })
    let text = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors += part
    })
    child.on('error', (error) => resolve({ text: '', errors: error.message }))
    child.on('close', () => resolve({ text, errors }))
  })
}

const day = z.iso.date()
const reason = z.string().min(20)

const schema = z.strictObject({
  /** Known vulnerabilities that do not reach us, each until a day, by which it has to be reviewed. */
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

/** Exceptions to the rule, with the reason. */
export type Exceptions = z.output<typeof schema>

/** @throws z.ZodError when the file is not what it must be. */
export function readExceptions(path: string): Exceptions {
  return schema.parse(readJson(path))
}
