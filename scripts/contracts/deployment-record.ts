import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { Address } from '../../lib/domain/entity.ts'
import { readJson } from '../stack/files.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .transform((value) => value as Address)

const recordSchema = z.strictObject({
  chainId: z.number().int().positive(),
  registry: address,
  runner: address,
  /** First block that can hold an event of the registry. */
  deploymentBlock: z.number().int().nonnegative(),
})

/** What was deployed to one chain, as kept in the project. */
export type DeploymentRecord = z.infer<typeof recordSchema>

/** Where the record of a chain is kept when nothing else is said. */
export function recordPath(chainId: number): string {
  return `deploy/chains/${chainId}.json`
}

/** @throws Error when there is a file that is no record. */
export function readRecord(path: string): DeploymentRecord | undefined {
  if (!existsSync(path)) return undefined
  const parsed = recordSchema.safeParse(readJson(path))
  if (!parsed.success) throw new Error(`${path} is not a record of a deployment: move it away first.`)
  return parsed.data
}
