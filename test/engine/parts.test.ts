import { test } from 'vitest'
import { assumptionCases } from './parts/assumptions.ts'
import { formulaCases } from './parts/formulas.ts'
import { memoryCases } from './parts/memory.ts'
import { ruleCases } from './parts/rules.ts'
import { shapeCases } from './parts/shapes.ts'
import { sumCases } from './parts/sums.ts'
import { valueCases } from './parts/values.ts'

test.each([
  ...ruleCases,
  ...assumptionCases,
  ...formulaCases,
  ...memoryCases,
  ...sumCases,
  ...valueCases,
  ...shapeCases,
])('$title', ({ check }) => check())
