import { z } from 'zod'
import type { Address } from '#lib/protocol/entity.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .transform((value) => value as Address)

/** The contracts of one chain, as they are remembered in a file. */
export const contractsSchema = z.object({
  chainId: z.number().int().positive(),
  registry: address,
  runner: address,
  /** First block that can hold an event of the registry. */
  deploymentBlock: z.number().int().nonnegative(),
})
