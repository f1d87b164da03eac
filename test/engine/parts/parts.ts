import { assumptionCases } from './assumptions.ts'
import { formulaCases } from './formulas.ts'
import { memoryCases } from './memory.ts'
import type { PartCase } from './notation.ts'
import { ruleCases } from './rules.ts'
import { shapeCases } from './shapes.ts'
import { sumCases } from './sums.ts'
import { valueCases } from './values.ts'

/** Every check of a part of the specialiser. */
export const PARTS: readonly PartCase[] = [
  ...ruleCases,
  ...assumptionCases,
  ...formulaCases,
  ...memoryCases,
  ...sumCases,
  ...valueCases,
  ...shapeCases,
]
