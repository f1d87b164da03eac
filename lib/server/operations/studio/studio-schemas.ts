import { z } from 'zod'
import { addressInput } from '../chain/request-schemas.ts'

const MAX_NAME = 80

export const time = z.iso.datetime()

/** The name that a person gives to something of their own. */
export const shortName = z
  .string()
  .trim()
  .min(1, 'expected a name')
  .max(MAX_NAME, `expected at most ${MAX_NAME} characters`)
  .regex(/^\P{Cc}*$/u, 'expected no line breaks and other control characters')

export const accountParams = z.object({ account: addressInput })
