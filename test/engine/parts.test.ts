import { test } from 'vitest'
import { PARTS } from './parts/parts.ts'

test.each(PARTS)('$title', ({ check }) => check())
